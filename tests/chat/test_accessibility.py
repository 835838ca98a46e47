"""The page for everybody: axe-core over its states, by keyboard alone, and told once to a screen reader."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.axe import axe_violations
from tests.chat.conftest import Desk
from tests.chat.probes import probe
from tests.screenshots import shoot
from tests.secondact.conftest import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect

WIDTHS = (320, 768, 1280)


def empty(desk: Desk) -> None:
    expect(desk.page.locator("#empty")).to_be_visible()
    expect(desk.page.locator("#list-state")).to_have_text("None yet.")


def streaming(desk: Desk) -> None:
    desk.ask("slowly told: what is the first step?")
    expect(desk.page.locator(".answer h4, .answer h3").first).to_be_visible()


def done(desk: Desk) -> None:
    desk.ask("rich: what is the first step if I want to change careers at 50?")
    expect(desk.page.locator(".suggestions button")).to_have_count(3)
    expect(desk.page.locator("#send")).to_be_visible()


def clarification(desk: Desk) -> None:
    desk.ask("unclear what I mean")
    expect(desk.page.get_by_role("button", name="Answer anyway")).to_be_visible()


def error(desk: Desk) -> None:
    desk.ask("breaks off in the middle")
    expect(desk.page.get_by_role("button", name="Try again")).to_be_visible()


def source_open(desk: Desk) -> None:
    done(desk)
    desk.page.locator(".cite").first.click()
    expect(desk.page.locator("#source mark")).to_be_visible()


def conversation_list(desk: Desk) -> None:
    done(desk)
    if desk.page.locator("#list-toggle").is_visible():
        desk.page.click("#list-toggle")
    expect(desk.page.locator("#conversation-list a")).to_be_visible()


def journey(desk: Desk) -> None:
    for count in (1, 2, 3):
        desk.ask("rich question about my way")
        expect(desk.page.locator(".turn")).to_have_count(count)
        expect(desk.page.locator("#send")).to_be_visible()
    expect(desk.page.locator("main .proposal")).to_be_visible()


STATES = (empty, streaming, done, clarification, error, source_open, conversation_list, journey)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_in_any_state_width_and_scheme(desk: Desk, state: Callable[[Desk], None]) -> None:
    page = desk.page
    # The list is a sheet of its own only where the page is narrow.
    page.set_viewport_size({"width": 320 if state is conversation_list else 1280, "height": 800})
    state(desk)
    found = []
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            found += [f"{width} {scheme} {each}" for each in axe_violations(page)]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width} scrolls sideways"
            shoot(page, state.__name__)
    desk.release()
    assert found == []


def test_a_whole_conversation_by_keyboard_alone(desk: Desk) -> None:
    page = desk.page
    expect(page.locator("#question")).to_be_focused()
    type_and_ask(page, "slow question")
    expect(page.locator("#stop")).to_be_visible()
    go_to(page, page.locator("#stop"))
    page.keyboard.press("Enter")
    expect(page.locator(".notes")).to_contain_text("You stopped this answer.")
    expect(page.locator("#question")).to_be_focused()

    type_and_ask(page, "rich question")
    expect(page.locator(".suggestions button")).to_have_count(3)
    citation = page.locator(".cite").first
    go_to(page, citation, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#source-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(citation).to_be_focused()

    suggestion = page.locator(".suggestions button").first
    go_to(page, suggestion)
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(3)
    expect(page.locator("#question")).to_be_focused()
    expect(page.locator("#send")).to_be_visible()

    type_and_ask(page, "unclear question")
    option = page.get_by_role("button", name="The plan")
    go_to(page, option, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(5)
    expect(page.locator("#send")).to_be_visible()

    more = page.get_by_role("button", name=re.compile("^Rename or delete"))
    go_to(page, more, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#new-title")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("My second act")
    page.keyboard.press("Enter")
    expect(page.locator("#conversation-list .title")).to_have_text("My second act")

    go_to(page, more)
    page.keyboard.press("Enter")
    go_to(page, page.locator("#delete"))
    page.keyboard.press("Enter")
    expect(page.locator("#delete-no")).to_be_focused()
    go_to(page, page.locator("#delete-yes"), "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/")
    expect(page.locator("#list-state")).to_have_text("None yet.")


def test_a_screen_reader_is_told_once_of_each_answer(desk: Desk) -> None:
    page = desk.page
    page.context.add_init_script(probe("announced"))
    page.reload()
    expect(page.locator("#list-state")).to_have_text("None yet.")
    for number, (question, told) in enumerate(
        (
            ("rich question", "The answer is complete with 2 sources."),
            ("unclear question", "A question back: Which do you mean?"),
            ("breaks off", "The answer broke off before its end."),
            ("uncovered question", "The library holds too little on this for an answer with sources."),
        ),
        start=1,
    ):
        page.evaluate("announced.length = 0")
        desk.ask(question)
        expect(page.locator(".turn")).to_have_count(number)
        expect(page.locator("#send")).to_be_visible()
        # By the protocol: a function that waits within the page would be evaluated against its policy.
        until(lambda: page.evaluate("announced.length > 0"))
        # What is drawn after the end comes within the next frames.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("announced") == [told]


def type_and_ask(page: "Page", question: str) -> None:
    page.keyboard.type(question)
    page.keyboard.press("Enter")
    expect(page.locator(".asked").last).to_have_text(question)


def go_to(page: "Page", target: "Locator", key: str = "Tab") -> None:
    """Press the key until this has the focus; every stop on the way has to be seen."""
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.checkVisibility()")
    raise AssertionError(f"{target} was not reached by {key}")
