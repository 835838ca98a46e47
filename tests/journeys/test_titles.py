"""Titles of conversations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journeys.titles import TITLE_CHARACTERS, title_from

FAMILY = "👨‍👩‍👧‍👦"


def test_a_short_question_is_its_own_title() -> None:
    assert title_from("  What is\n a second\tact? ") == "What is a second act?"


def test_a_long_question_is_cut_at_sixty_characters() -> None:
    assert title_from("x" * 200) == "x" * 60


@pytest.mark.parametrize("emoji", [FAMILY, "🇩🇪", "👍🏽", "é́", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
def test_the_cut_never_falls_inside_an_emoji(emoji: str) -> None:
    for before in range(50, 60):
        title = title_from("x" * before + emoji * 10)
        assert title[before:] == emoji * (len(title[before:]) // len(emoji))


def test_a_heap_of_marks_is_cut_hard() -> None:
    assert len(title_from("a" + "\u0301" * 500)) == 60


def test_control_and_turning_characters_are_left_out() -> None:
    assert title_from("a\x07b\u202ec") == "abc"


@given(st.text(max_size=200))
def test_any_text_gives_one_line_within_the_limit(text: str) -> None:
    title = title_from(text)
    assert len(title) <= TITLE_CHARACTERS
    assert title == " ".join(title.split())
