"""Hostile texts in everything a member sees: nothing runs, and nothing becomes an element of its own."""

import pytest

from corpus.models import Chunk, Document
from journeys.models import Conversation, Member
from journeys.titles import one_line
from tests.chat.conftest import Desk
from tests.chat.payloads import BATCHES, PAYLOADS, question_of
from tests.chat.played_turns import CHUNK, DOCUMENT
from tests.chat.probes import probe

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect

HOOK = "window.ran = 0; window.hook = () => { window.ran += 1; };"

STRANGE = probe("strange")


def test_there_are_enough_of_them() -> None:
    assert len(set(PAYLOADS)) >= 150


@pytest.fixture
def hostile(desk: Desk) -> Desk:
    """A page in which a payload that runs is noticed."""
    document = Document.objects.get(id=DOCUMENT)
    for field in ("title", "creator"):
        setattr(document, field, PAYLOADS[0] + PAYLOADS[16])
    document.save()
    desk.page.context.add_init_script(HOOK)
    desk.page.reload()
    return desk


@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_in_question_answer_source_link_quote_and_suggestion_they_are_text(hostile: Desk, number: int) -> None:
    page, batch = hostile.page, BATCHES[number]
    passage = "\n".join(batch)[:1_600]  # as long as a chunk may be
    Chunk.objects.filter(public_id=CHUNK).update(text=passage, heading_path=list(batch))
    hostile.ask(question_of(number))
    expect(page.locator(".suggestions button")).to_have_count(len(batch))
    assert page.locator(".asked").evaluate("element => element.textContent") == question_of(number).strip()
    assert page.locator(".source .title").all_text_contents() == list(batch)
    assert page.locator(".choice .reason").all_text_contents() == list(batch)
    assert page.evaluate(STRANGE) == []
    page.locator(".sources button.source").last.click()
    expect(page.locator("#source .notice")).to_have_count(0)
    assert page.locator("#source .passage").evaluate("element => element.textContent") == passage
    assert page.locator("#source-title").text_content() == f"{len(batch)}. {batch[-1]}"
    assert page.evaluate(STRANGE) == []
    page.reload()
    expect(page.locator(".suggestions button")).to_have_count(len(batch))
    assert page.evaluate(STRANGE) == []
    assert page.evaluate("ran") == 0


def test_in_titles_of_conversations_they_are_text(hostile: Desk, member: Member) -> None:
    page = hostile.page
    titles = [one_line(payload)[:120] for payload in PAYLOADS]
    made = Conversation.objects.bulk_create(Conversation(member=member, title=title) for title in titles)
    page.goto(f"{hostile.served.address}/chat/{made[0].pk}/")
    expect(page.locator("h1")).to_have_text(titles[0])
    for shown in range(30, len(titles), 30):
        expect(page.locator("#conversation-list li")).to_have_count(shown)
        page.click("#list-more")
    expect(page.locator("#conversation-list li")).to_have_count(len(titles))
    assert set(page.locator("#conversation-list .title").all_text_contents()) == set(titles)
    assert page.evaluate(STRANGE) == []
    page.locator(".more").first.click()
    expect(page.locator("#new-title")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#manage")).to_be_hidden()
    assert page.evaluate(STRANGE) == []
    assert page.evaluate("ran") == 0


def test_nul_is_refused_with_a_sentence_and_the_question_stays(hostile: Desk) -> None:
    hostile.expect_complaint("400")
    page = hostile.page
    page.evaluate("document.getElementById('question').value = 'a\\0<script>hook()</script>'")
    page.click("#send")
    expect(page.locator("#send-trouble")).to_contain_text("Your question is kept here.")
    assert page.evaluate("ran") == 0


def test_the_policy_has_no_unsafe_word(hostile: Desk) -> None:
    answer = hostile.page.reload()
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
