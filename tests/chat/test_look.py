"""The look, measured: for people of 45 to 70, on a phone in a train and on a desk."""

from collections.abc import Callable

import pytest

from tests.chat.conftest import Desk
from tests.chat.probes import probe
from tests.chat.test_accessibility import STATES, done, empty

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_texts_are_large_and_strong_and_targets_big_enough(desk: Desk, state: Callable[[Desk], None]) -> None:
    page = desk.page
    page.set_viewport_size({"width": 320, "height": 800})
    state(desk)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        texts = page.evaluate(probe("texts"))
        assert len(texts) > 5
        assert [each for each in texts if each["size"] < 18] == []
        assert [(scheme, each) for each in texts if each["contrast"] < 7] == []
    targets = page.evaluate(probe("targets"))
    assert [each for each in targets if each["width"] < 44 or each["height"] < 44] == []
    desk.release()


def test_lines_of_an_answer_hold_60_to_75_characters_on_a_desk(desk: Desk) -> None:
    page = desk.page
    page.set_viewport_size({"width": 1280, "height": 800})
    done(desk)
    page.evaluate("document.fonts.ready")
    lines = page.evaluate(probe("lines"))
    assert len(lines) >= 3
    assert 60 <= sum(lines) / len(lines) <= 75
    assert max(lines) <= 80


def test_an_authority_is_told_by_word_and_shape(desk: Desk) -> None:
    page = desk.page
    done(desk)
    page.get_by_role("button", name="Also read (2)").click()
    labels = page.locator(".sources .authority").all_inner_texts()
    assert labels == ["◆ Primary", "● Supplementary", "▲ Illustrative", "■ Supporting"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_only_the_sign_of_work_moves_and_not_where_less_motion_is_asked_for(desk: Desk, motion: str) -> None:
    page = desk.page
    page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    desk.ask("slow question")
    expect(page.locator(".state .working")).to_be_visible()
    expect(page.locator(".answer strong")).to_be_visible()
    moving = page.evaluate("document.getAnimations().map((each) => each.animationName ?? each.transitionProperty)")
    assert moving == (["breathe"] if motion == "no-preference" else [])
    desk.release()


def test_its_own_typefaces_are_used(desk: Desk) -> None:
    empty(desk)
    desk.page.evaluate("document.fonts.ready")
    loaded = desk.page.evaluate(
        "[...document.fonts].filter(({status}) => status === 'loaded').map(({family}) => family)"
    )
    assert {name.strip('"') for name in loaded} == {"Atkinson Hyperlegible Next", "Literata"}
