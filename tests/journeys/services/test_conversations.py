"""Conversations and feedback."""

import pytest

from journeys.errors import InvalidValue, NotFound, RunInProgress, StepNotPossible
from journeys.models import Conversation, Feedback, Member, Turn
from journeys.services import (
    conversation_create,
    conversation_delete,
    conversation_rename,
    feedback_give,
    turn_accept,
)
from tests.journeys.conftest import Ask


def test_deleting_takes_all_turns_along(conversation: Conversation, ask: Ask) -> None:
    first = ask(conversation)
    ask(conversation, replaces=first.id)
    conversation_delete(member=conversation.member, conversation_id=conversation.id)
    assert not Conversation.objects.exists()
    assert not Turn.objects.exists()


def test_nothing_is_deleted_under_a_live_run(conversation: Conversation) -> None:
    turn_accept(member=conversation.member, conversation_id=conversation.id, question="Why?")
    with pytest.raises(RunInProgress):
        conversation_delete(member=conversation.member, conversation_id=conversation.id)
    assert Turn.objects.exists()


def test_a_foreign_conversation_is_neither_renamed_nor_deleted(conversation: Conversation, other: Member) -> None:
    with pytest.raises(NotFound):
        conversation_rename(member=other, conversation_id=conversation.id, title="Mine")
    with pytest.raises(NotFound):
        conversation_delete(member=other, conversation_id=conversation.id)
    assert Conversation.objects.get(pk=conversation.pk).title == ""


@pytest.mark.parametrize("title", [" ", "x" * 121])
def test_a_title_must_fit(conversation: Conversation, title: str) -> None:
    with pytest.raises(InvalidValue):
        conversation_rename(member=conversation.member, conversation_id=conversation.id, title=title)


def test_a_title_is_one_line(member: Member) -> None:
    assert conversation_create(member=member, title=" My\nplans\x00 ").title == "My plans"


def test_a_later_word_replaces_an_earlier_one(conversation: Conversation, ask: Ask) -> None:
    turn = ask(conversation)
    feedback_give(member=conversation.member, turn_id=turn.id, rating="down", reason="Too long.")
    feedback_give(member=conversation.member, turn_id=turn.id, rating="up")
    assert list(Feedback.objects.values_list("rating", "reason")) == [("up", "")]


def test_feedback_waits_for_the_end(conversation: Conversation, member: Member) -> None:
    turn = turn_accept(member=member, conversation_id=conversation.id, question="Why?").turn
    with pytest.raises(StepNotPossible):
        feedback_give(member=member, turn_id=turn.id, rating="up")


def test_only_known_ratings_are_kept(conversation: Conversation, ask: Ask) -> None:
    turn = ask(conversation)
    with pytest.raises(InvalidValue):
        feedback_give(member=conversation.member, turn_id=turn.id, rating="so-so")
