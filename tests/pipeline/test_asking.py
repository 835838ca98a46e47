"""From a stored turn to the request a run answers."""

import pytest
from pytest_django import Settings

from journeys.models import Conversation, Turn
from journeys.services import conversation_create, member_create
from pipeline.asking import request_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation() -> Conversation:
    return conversation_create(member=member_create(email="asker@example.org", password="a-long-password"))


def turn_of(conversation: Conversation, number: int, **fields: object) -> Turn:
    stored = {"question": f"Question {number}", "answer": "So.", "status": Turn.Status.ANSWERED} | fields
    return Turn.objects.create(conversation=conversation, number=number, **stored)


def test_as_many_turns_are_remembered_as_the_setting_says(conversation: Conversation, settings: Settings) -> None:
    settings.MEMORY_TURNS = 3
    for number in range(1, 7):
        turn_of(conversation, number)

    request = request_of(turn_of(conversation, 7, status=Turn.Status.RUNNING))
    assert [turn.question for turn in request.memory] == ["Question 4", "Question 5", "Question 6"]


def test_a_failed_turn_takes_nobody_s_place_in_memory(conversation: Conversation) -> None:
    for number, status in enumerate(["answered"] * 5 + ["failed", "interrupted"], start=1):
        turn_of(conversation, number, status=status)

    assert len(request_of(turn_of(conversation, 8, status=Turn.Status.RUNNING)).memory) == 5


@pytest.mark.parametrize(("status", "answered"), [("clarified", True), ("failed", False)])
def test_a_question_that_was_asked_back_about_is_answered_when_it_is_asked_anew(
    conversation: Conversation, status: str, answered: bool
) -> None:
    before = turn_of(conversation, 1, status=status)
    again = turn_of(conversation, 2, status=Turn.Status.RUNNING, replaces=before, mode="again")

    assert request_of(again).answer_anyway is answered


def test_an_answer_that_is_gone_on_with_begins_with_what_is_there(conversation: Conversation) -> None:
    before = turn_of(conversation, 1, status=Turn.Status.CUT, answer="So far")
    again = turn_of(conversation, 2, status=Turn.Status.RUNNING, replaces=before, mode="continue")

    assert request_of(again).continue_from == "So far"
