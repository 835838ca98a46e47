"""The member's page in a browser."""

import re

import pytest

from tests.chat.conftest import Desk
from tests.chat.played_turns import QUOTE, played

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect


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
    expect(page.locator("#source .facts")).to_contain_text("◆ Primary Works of the author")
    expect(page.locator("#source")).to_contain_text("Part one · Chapter 3")
    page.keyboard.press("Escape")
    expect(page.locator(".cite")).to_be_focused()
    expect(page.locator("#conversation-list .title")).to_have_text("How do I begin?")


def test_left_reloaded_and_opened_twice_in_mid_answer_it_ends_with_the_same_full_answer(desk: Desk) -> None:
    page = desk.page
    desk.ask("slow question")
    begun = "what you know."
    expect(page.locator(".answer strong")).to_have_text(begun)
    here = page.url.removeprefix(desk.served.address)
    turn = str(page.locator(".turn h2").get_attribute("id")).removeprefix("turn-")
    other = desk.open(desk.context(), here)
    left = desk.open(page.context, here)
    for each in (other, left):
        expect(each.locator(".answer strong")).to_have_text(begun)
    left.goto(f"{desk.served.address}/accounts/logout/")
    page.reload()
    for each in (page, other):
        expect(each.locator(".answer strong")).to_have_text(begun)
        expect(each.locator("#stop")).to_be_visible()
    desk.release()
    for each in (page, other):
        expect(each.locator(".suggestions button")).to_be_visible()
        expect(each.locator("#send")).to_be_visible()
    left.goto(desk.served.address + here)
    expect(left.locator(".suggestions button")).to_be_visible()
    # What is drawn of the stored turn alone is what the others drew of the stream.
    assert desk.api(f"turns/{turn}")["answer"] == played("slow question").answer
    assert page.inner_html(".answer") == other.inner_html(".answer") == left.inner_html(".answer")
    assert page.locator(".turn").count() == other.locator(".turn").count() == left.locator(".turn").count() == 1


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


def test_what_the_server_cannot_take_stays_in_the_field(desk: Desk) -> None:
    page = desk.page
    desk.expect_complaint("Failed to load resource: net::|WebSocket connection .* failed")
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


def test_conversations_are_renamed_and_deleted(desk: Desk) -> None:
    page = desk.page
    desk.ask("How do I begin?")
    expect(page.locator(".suggestions button")).to_be_visible()
    page.locator(".more").click()
    page.fill("#new-title", "Mine")
    page.keyboard.press("Enter")
    expect(page.locator("#conversation-list .title")).to_have_text("Mine")
    expect(page.locator("h1")).to_have_text("Mine")
    page.locator(".more").click()
    page.click("#delete")
    expect(page.locator("#delete-no")).to_be_focused()
    page.click("#delete-yes")
    page.wait_for_url("**/chat/")
    expect(page.locator("#list-state")).to_have_text("None yet.")


def test_signed_out_elsewhere_it_shows_the_way_to_sign_in(desk: Desk) -> None:
    page = desk.page
    desk.expect_complaint("401")
    page.context.clear_cookies()
    desk.ask("Kept?")
    expect(page.locator("#signed-out")).to_be_visible()
    expect(page.locator("#sign-in")).to_have_attribute("href", re.compile(r"/accounts/login/\?next=%2Fchat%2F$"))
    expect(page.locator("#question")).to_have_value("Kept?")
