"""The member's page in a browser. No test touches the database: the browser's loop runs in this thread."""

import re
from pathlib import Path

import pytest

from tests.chat.browser_server import QUOTE, XSS
from tests.chat.conftest import CHROMIUM, Desk

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"{CHROMIUM} is not there: no browser tests")


def test_a_question_is_answered_with_a_citation_that_opens_its_source(desk: Desk) -> None:
    page = desk.page
    desk.ask("How do I begin?")
    expect(page.locator(".suggestions button")).to_contain_text("What comes next?")
    assert page.inner_text(".answer p:first-child").startswith("Begin with what you know.")
    expect(page.locator(".sources h3")).to_have_text("Sources used")
    expect(page.locator("#announcer")).to_have_text("The answer is complete with 1 source.")
    page.locator(".cite").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#source mark")).to_have_text(QUOTE)
    expect(page.locator("#source")).to_contain_text("Primary: Works of the author")
    expect(page.locator("#source")).to_contain_text("Part one · Chapter 3")
    page.keyboard.press("Escape")
    expect(page.locator(".cite")).to_be_focused()
    expect(page.locator("#conversation-list a")).to_have_text("How do I begin?")
    assert desk.complaints == []


def test_a_question_back_is_answered_by_keyboard(desk: Desk) -> None:
    page = desk.page
    desk.ask("unclear")
    option = page.get_by_role("button", name="The plan")
    expect(page.get_by_role("button", name="Answer anyway")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if option.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn >> nth=1 >> .cite")).to_be_visible()
    expect(page.locator("#question")).to_be_focused()
    assert desk.complaints == []


def test_reloaded_and_opened_twice_in_mid_answer_it_ends_with_the_same_answer(desk: Desk) -> None:
    page = desk.page
    desk.ask("slow question")
    expect(page.locator(".answer strong")).to_have_text("what you know.")
    other = desk.watch(page.context.new_page())
    other.goto(page.url)
    page.reload()
    for each in (page, other):
        expect(each.locator(".answer strong")).to_have_text("what you know.")
        expect(each.locator("#stop")).to_be_visible()
    desk.release()
    for each in (page, other):
        expect(each.locator(".suggestions button")).to_be_visible()
        expect(each.locator("#send")).to_be_visible()
    assert page.inner_text(".answer") == other.inner_text(".answer")
    page.reload()
    expect(page.locator(".suggestions button")).to_be_visible()
    assert page.inner_text(".answer") == other.inner_text(".answer")
    assert desk.complaints == []


def test_a_stopped_answer_is_kept_and_can_go_on(desk: Desk) -> None:
    page = desk.page
    desk.ask("slow question")
    expect(page.locator(".answer strong")).to_be_visible()
    page.click("#stop")
    expect(page.locator(".notes")).to_contain_text("You stopped this answer.")
    expect(page.get_by_role("button", name="Continue the answer")).to_be_visible()
    expect(page.locator("#question")).to_be_focused()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("#stop")).to_be_visible()
    expect(page.locator(".answer strong")).to_be_visible()
    desk.release()
    expect(page.locator(".suggestions button")).to_be_visible()
    expect(page.locator(".turn")).to_have_count(1)
    assert desk.complaints == []


def test_what_the_server_cannot_take_stays_in_the_field(desk: Desk) -> None:
    page = desk.page
    page.context.set_offline(True)
    desk.ask("Kept?")
    expect(page.locator("#send-trouble")).to_contain_text("Your question is kept here.")
    expect(page.locator("#question")).to_have_value("Kept?")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#question")).to_have_value("Kept?")
    page.keyboard.press("Enter")
    expect(page.locator(".suggestions button")).to_be_visible()
    expect(page.locator("#question")).to_have_value("")
    page.fill("#question", "x" * 4_001)
    page.click("#send")
    expect(page.locator("#send-trouble")).to_contain_text("At most 4,000 characters")


def test_markup_in_questions_answers_titles_and_suggestions_runs_nothing(desk: Desk) -> None:
    page = desk.page
    for number, attack in enumerate(XSS, start=1):
        desk.ask(attack)
        expect(page.locator(".suggestions button")).to_have_text(f"{attack}It follows.")
        expect(page.locator(".asked").last).to_have_text(attack)
        page.locator(".cite").last.click()
        expect(page.locator("#source-title")).to_have_text(f"1. {attack}")
        page.keyboard.press("Escape")
        expect(page.locator(".turn")).to_have_count(number)
    page.locator(".more").click()
    page.fill("#new-title", XSS[1])
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.locator("#conversation-list a")).to_have_text(XSS[1])
    page.reload()
    expect(page.locator(".turn")).to_have_count(len(XSS))
    assert page.locator("main img, main svg, main iframe, main script, main [onmouseover]").count() == 0
    assert desk.complaints == []


def test_conversations_are_renamed_and_deleted(desk: Desk) -> None:
    page = desk.page
    desk.ask("How do I begin?")
    expect(page.locator(".suggestions button")).to_be_visible()
    page.locator(".more").click()
    page.fill("#new-title", "Mine")
    page.keyboard.press("Enter")
    expect(page.locator("#conversation-list a")).to_have_text("Mine")
    expect(page.locator("h1")).to_have_text("Mine")
    page.locator(".more").click()
    page.click("#delete")
    expect(page.locator("#delete-no")).to_be_focused()
    page.click("#delete-yes")
    page.wait_for_url("**/chat/")
    expect(page.locator("#list-state")).to_have_text("None yet.")
    assert desk.complaints == []


def test_signed_out_elsewhere_it_shows_the_way_to_sign_in(desk: Desk) -> None:
    page = desk.page
    page.context.clear_cookies()
    desk.ask("Kept?")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(page.locator("#sign-in")).to_have_attribute("href", re.compile(r"/accounts/login/\?next=%2Fchat%2F$"))
    expect(page.locator("#question")).to_have_value("Kept?")
