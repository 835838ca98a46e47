"""What is read of conversations."""

import json

import pytest

from journeys.errors import InvalidValue, NotFound
from journeys.models import Conversation, Member
from journeys.selectors import conversation_get, conversation_list, turn_body, turn_get, turn_list, turn_memory
from journeys.services import conversation_create, feedback_give, turn_accept
from tests.journeys.conftest import Ask


def test_memory_holds_the_last_turns_oldest_first(conversation: Conversation, member: Member, ask: Ask) -> None:
    for number in range(7):
        ask(conversation, f"Question {number}")
    turn = turn_accept(member=member, conversation_id=conversation.id, question="Now?").turn
    assert [each.question for each in turn_memory(turn=turn, limit=3)] == ["Question 4", "Question 5", "Question 6"]


def test_memory_leaves_out_what_is_not_worth_remembering(conversation: Conversation, member: Member, ask: Ask) -> None:
    ask(conversation, "Kept")
    ask(conversation, "Asked back", status="clarified", answer="", clarification={"question": "Which?", "options": []})
    ask(conversation, "Danger", care=True)
    ask(conversation, "Nothing said", status="stopped", answer=" \n")
    ask(conversation, "Broke off", status="failed", answer="Half")
    old = ask(conversation, "Replaced", status="failed", answer="Half")
    ask(conversation, "New version", replaces=old.id)
    turn = turn_accept(member=member, conversation_id=conversation.id, question="Now?").turn
    assert [each.question for each in turn_memory(turn=turn)] == ["Kept", "Asked back", "New version"]


def test_memory_never_crosses_conversations(conversation: Conversation, member: Member, ask: Ask) -> None:
    ask(conversation, "Elsewhere")
    fresh = conversation_create(member=member)
    turn = turn_accept(member=member, conversation_id=fresh.id, question="Now?").turn
    assert turn_memory(turn=turn) == []


def test_history_shows_the_new_version_only(conversation: Conversation, ask: Ask) -> None:
    old = ask(conversation, "Old", status="failed")
    ask(conversation, "New", replaces=old.id)
    assert [turn.question for turn in turn_list(conversation)] == ["New"]


def test_search_finds_titles_and_questions_of_this_member(conversation: Conversation, other: Member, ask: Ask) -> None:
    ask(conversation, "What is courage?")
    ask(conversation, "And 100% fear?")
    member = conversation.member
    assert list(conversation_list(member=member, search="COURAGE")) == [conversation]
    assert list(conversation_list(member=member, search="100% f")) == [conversation]
    assert list(conversation_list(member=member, search="%x%")) == []
    assert list(conversation_list(member=other, search="courage")) == []


def test_a_search_with_nul_is_refused(member: Member) -> None:
    with pytest.raises(InvalidValue):
        conversation_list(member=member, search="a\x00b")


def test_a_foreign_id_answers_like_an_unknown_one(conversation: Conversation, other: Member, ask: Ask) -> None:
    turn = ask(conversation)
    with pytest.raises(NotFound):
        conversation_get(member=other, conversation_id=conversation.id)
    with pytest.raises(NotFound):
        turn_get(member=other, turn_id=turn.id)


def test_the_body_of_a_turn_is_plain_json(conversation: Conversation, member: Member, ask: Ask) -> None:
    turn = ask(conversation, "Why?", intent="general", confidence=0.5, clarity=0.9, standalone_question="Why?")
    feedback_give(member=member, turn_id=turn.id, rating="down", reason="Too short.")
    body = turn_body(turn_get(member=member, turn_id=turn.id))
    assert json.loads(json.dumps(body)) == body
    assert body["intent"] == "general"
    assert body["feedback"]["rating"] == "down"
    assert body["events_url"] == f"/api/v1/turns/{turn.id}/events"
    assert body["may_retry"] is False
