"""What the page offers beside asking: feedback, stages, search, going on, and what it says when something fails."""

import json
import re

import pytest

from journeys.models import Feedback, Member, StageChange
from journeys.services import profile_ensure
from tests.chat.conftest import EMAIL, PASSWORD, Desk
from tests.chat.played_turns import OTHER_QUOTE, QUOTE

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect


def answered(desk: Desk, question: str = "How do I begin?", *, turns: int = 1) -> None:
    """Ask, and wait for the whole turn."""
    desk.ask(question)
    expect(desk.page.locator(".turn")).to_have_count(turns)
    expect(desk.page.locator("#send")).to_be_visible()
    expect(desk.page.locator(".turn").last.locator(".suggestions button").first).to_be_visible()


def test_an_answer_is_rated_with_a_reason_and_shows_it_again(desk: Desk) -> None:
    page = desk.page
    answered(desk)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".feedback [role=status]")).to_have_text("Thank you.")
    page.get_by_label("What was missing or wrong?").fill("Too short")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".feedback [role=status]")).to_contain_text("Your words were kept")
    given = Feedback.objects.get()
    assert (given.rating, given.reason) == ("down", "Too short")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_label("What helped?")).to_have_value("")
    page.reload()
    expect(page.get_by_role("button", name="Yes", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="No", exact=True)).to_have_attribute("aria-pressed", "false")


def test_a_proposed_stage_is_accepted_and_taken_back(desk: Desk, member: Member) -> None:
    page = desk.page
    for turns in (1, 2, 3):
        answered(desk, turns=turns)
    card = page.locator("main .proposal")
    expect(card.locator("h3")).to_have_text("Is this where you are now: Looking back?")
    expect(card).to_contain_text("This is where most people begin.")
    card.get_by_role("button", name="Yes, that is right").click()
    expect(card).to_have_text("Noted: you are at “Looking back”. Your suggestions follow it.")
    assert profile_ensure(member=member).stage_id == "looking-back"
    page.click("#journey-open")
    expect(page.locator(".stages .here")).to_contain_text("Looking back")
    page.get_by_role("button", name="I am here: Trying out").click()
    expect(page.locator(".stages .here")).to_contain_text("Trying out")
    page.get_by_role("button", name="Take back the last step").click()
    expect(page.locator(".stages .here")).to_contain_text("Looking back")
    assert profile_ensure(member=member).stage_id == "looking-back"


def test_a_proposed_stage_is_found_again_after_a_reload_and_declined(desk: Desk, member: Member) -> None:
    page = desk.page
    for turns in (1, 2, 3):
        answered(desk, turns=turns)
    expect(page.locator("main .proposal")).to_be_visible()
    page.reload()
    card = page.locator("main .proposal")
    card.get_by_role("button", name="Not now").click()
    expect(card).to_have_text("Noted. Nothing has changed.")
    assert StageChange.objects.filter(member=member, kind="declined").exists()
    page.reload()
    expect(page.locator(".turn")).to_have_count(3)
    expect(page.locator("main .proposal")).to_be_hidden()


def test_conversations_are_searched_by_title_and_question(desk: Desk) -> None:
    page = desk.page
    for question in ("About courage", "About money"):
        page.goto(f"{desk.served.address}/chat/")
        answered(desk, question)
    expect(page.locator("#conversation-list li")).to_have_count(2)
    page.fill("#list-search", "courage")
    expect(page.locator("#conversation-list .title")).to_have_text(["About courage"])
    page.fill("#list-search", "nothing of this")
    expect(page.locator("#list-state")).to_have_text("No conversation holds these words.")
    page.fill("#list-search", "")
    expect(page.locator("#conversation-list li")).to_have_count(2)
    assert page.locator("#conversation-list time").first.inner_text() in ("Today", "Yesterday")


def test_a_cut_answer_goes_on(desk: Desk) -> None:
    page = desk.page
    answered(desk, "cut off")
    expect(page.locator(".notes")).to_contain_text("reached its greatest length")
    page.get_by_role("button", name="Continue the answer").click()
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator("#send")).to_be_visible()


def test_a_failed_answer_keeps_its_text_says_so_and_is_asked_again(desk: Desk) -> None:
    page = desk.page
    desk.ask("breaks off")
    expect(page.locator(".notes .trouble")).to_have_text("The answer broke off before its end.")
    expect(page.locator(".answer strong")).to_be_visible()
    first = page.locator(".turn h2").get_attribute("id")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(f"#{first}")).to_have_count(0)
    expect(page.locator(".notes .trouble")).to_be_visible()


def test_what_an_answer_had_to_do_without_is_said(desk: Desk) -> None:
    answered(desk, "poorly answered")
    expect(desk.page.locator(".notes")).to_contain_text("related ideas could not be looked up")
    expect(desk.page.locator(".demo")).to_contain_text("answers quote the library word for word")


def test_a_source_that_was_withdrawn_is_said_to_be_gone(desk: Desk) -> None:
    page = desk.page
    answered(desk, "rich answer")
    page.get_by_role("button", name="Also read (2)").click()
    desk.expect_complaint("404")
    page.get_by_role("button", name=re.compile("Work after fifty")).click()
    expect(page.locator("#source .notice")).to_have_text("This source is no longer in the library.")
    expect(page.locator("#source .passage")).to_have_count(0)


def test_words_that_stand_in_the_next_chunk_of_a_source_are_opened_there(desk: Desk) -> None:
    page = desk.page
    answered(desk, "rich answer")
    page.locator(".cite").last.click()
    expect(page.locator("#source mark")).to_have_text(OTHER_QUOTE)
    expect(page.locator("#source .facts")).to_contain_text("Part one · Chapter 4")
    page.keyboard.press("Escape")
    page.locator("button.source").first.click()
    expect(page.locator("#source .facts")).to_contain_text("Part one · Chapter 3")


def test_a_question_asked_elsewhere_meanwhile_is_followed_and_the_own_one_kept(desk: Desk) -> None:
    page = desk.page
    answered(desk)
    # This one hears nothing of the other: it has no stream.
    context = desk.context()
    context.add_init_script("delete window.WebSocket;")
    other = desk.open(context, page.url.removeprefix(desk.served.address))
    expect(other.locator(".turn")).to_have_count(1)
    desk.ask("slow here")
    expect(page.locator("#stop")).to_be_visible()
    desk.expect_complaint("409")
    other.fill("#question", "Mine")
    other.keyboard.press("Enter")
    expect(other.locator("#stop")).to_be_visible()
    expect(other.locator(".asked").last).to_have_text("slow here")
    expect(other.locator("#question")).to_have_value("Mine")
    desk.release()
    expect(other.locator("#send")).to_be_visible()
    assert other.locator(".answer").last.inner_text() == page.locator(".answer").last.inner_text()


def test_a_server_that_takes_no_questions_leaves_the_draft(desk: Desk) -> None:
    page = desk.page
    detail = "New questions cannot be taken at the moment. Please try again in a little while."
    page.route(
        "**/turns",
        lambda route: (
            route.fulfill(
                status=503,
                headers={"Content-Type": "application/problem+json", "Retry-After": "7"},
                body=json.dumps({"status": 503, "code": "try_later", "detail": detail}),
            )
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    desk.expect_complaint("503")
    desk.ask("Kept?")
    expect(page.locator("#send-trouble")).to_have_text(
        f"{detail} You can try again in 7 seconds. Your question is kept here."
    )
    expect(page.locator("#question")).to_have_value("Kept?")
    page.unroute("**/turns")
    page.keyboard.press("Enter")
    expect(page.locator(".suggestions button")).to_be_visible()
    expect(page.locator("#question")).to_have_value("")


def test_without_web_sockets_it_follows_the_events(desk: Desk) -> None:
    context = desk.context()
    context.add_init_script("delete window.WebSocket;")
    page = desk.page = desk.open(context)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    desk.ask("slow question")
    expect(page.locator(".answer strong")).to_be_visible()
    desk.release()
    expect(page.locator(".suggestions button")).to_be_visible()
    assert any("/events?after=" in address for address in asked)
    assert not any(address.startswith("ws") for address in asked)


def test_a_long_question_is_counted_and_too_long_a_one_not_sent(desk: Desk) -> None:
    page = desk.page
    expect(page.locator("#counter")).to_have_class(re.compile("unseen"))
    page.fill("#question", "x" * 3_500)
    expect(page.locator("#counter")).to_have_text("3,500 of 4,000 characters")
    page.fill("#question", "😀" * 4_001)
    expect(page.locator("#counter")).to_have_text("4,001 of 4,000 characters")
    expect(page.locator("#question")).to_have_attribute("aria-invalid", "true")
    page.click("#send")
    expect(page.locator("#send-trouble")).to_have_text("At most 4,000 characters are possible.")
    expect(page.locator(".turn")).to_have_count(0)


def test_a_starter_asks_its_question(desk: Desk) -> None:
    page = desk.page
    starter = page.locator("[data-starter]").first
    words = starter.inner_text()
    starter.click()
    expect(page.locator(".asked")).to_have_text(words)
    expect(page.locator("#empty")).to_be_hidden()
    expect(page.locator(".suggestions button")).to_be_visible()


def test_a_printed_conversation_holds_answers_and_all_sources(desk: Desk) -> None:
    page = desk.page
    answered(desk, "rich answer")
    expect(page.locator("#print")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".asked")).to_be_visible()
    expect(page.locator(".sources li")).to_have_count(4)
    for each in page.locator(".sources li").all():
        expect(each).to_be_visible()
    expect(page.locator(".sources .used .on-paper").first).to_have_text(f"“{QUOTE}”")
    expect(page.get_by_text("https://example.org/garden")).to_be_visible()
    for hidden in ("#composer", "#conversations", ".suggestions", ".feedback", ".demo", "#print"):
        expect(page.locator(hidden)).to_be_hidden()


def test_signing_in_leads_to_the_page_and_signing_out_away_from_it(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda address: "/chat/" not in address)
    page.goto(f"{desk.served.address}/chat/")
    page.fill("[name=login]", EMAIL)
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url("**/chat/")
    expect(page.locator("#empty")).to_be_visible()
