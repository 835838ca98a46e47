"""What is remembered of a conversation."""

import pytest

from pipeline.budget import cut_to, tokens_of
from pipeline.memory import MEMORY_TOKENS, memory_window
from tests.pipeline.fakes import remembered


def test_the_last_five_turns_oldest_first() -> None:
    turns = [remembered(f"Q{number}") for number in range(1, 9)]

    assert [turn.question for turn in memory_window(turns)] == ["Q4", "Q5", "Q6", "Q7", "Q8"]


@pytest.mark.parametrize(
    "turn",
    [
        remembered("Q", "", "stopped"),
        remembered("Q", "  \n", "answered"),
        remembered("Q", "Half an", "failed"),
        remembered("Q", "Half an", "interrupted"),
        remembered("Q", "", "clarified"),
        remembered(" ", "A"),
    ],
)
def test_blank_and_failed_ones_never_enter(turn) -> None:  # type: ignore[no-untyped-def]
    assert memory_window([turn, remembered("Good")]) == (remembered("Good"),)


def test_a_turn_that_was_asked_back_is_remembered() -> None:
    turn = remembered("What about it?", "", "clarified", clarification="What is it about?")

    assert memory_window([turn]) == (turn,)


def test_older_turns_fall_out_when_the_budget_is_spent() -> None:
    turns = [remembered(f"Q{number}", "word " * 400) for number in range(3)]
    window = memory_window(turns)

    assert [turn.question for turn in window] == ["Q1", "Q2"]


def test_one_long_turn_is_cut_to_the_budget() -> None:
    (turn,) = memory_window([remembered("Q", "é" * 40_000)])

    assert turn.question == "Q"
    assert tokens_of(turn.answer) <= MEMORY_TOKENS


def test_tokens_are_bytes_by_three_and_a_half() -> None:
    assert [tokens_of(text) for text in ("", "abc", "abcd", "éé")] == [0, 1, 2, 2]
    assert cut_to("éé", 1) == "é"
