"""Taking questions in."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from journeys.errors import (
    IdempotencyMismatch,
    InvalidQuestion,
    InvalidValue,
    JourneyError,
    NotFound,
    RunInProgress,
    StepNotPossible,
)
from journeys.models import Conversation, Member, Turn
from journeys.services import (
    AcceptedTurn,
    conversation_create,
    conversation_rename,
    member_create,
    turn_accept,
    turn_finish,
)
from tests.journeys.conftest import Ask


def accept(conversation: Conversation, question: str = "Why?", **values: object) -> AcceptedTurn:
    return turn_accept(member=conversation.member, conversation_id=conversation.id, question=question, **values)  # type: ignore[arg-type]


def test_a_question_is_stored_before_anything_else_happens(conversation: Conversation) -> None:
    turn = accept(conversation, "  Why\r\nnow?  ").turn
    stored = Turn.objects.get(pk=turn.pk)
    assert (stored.number, stored.status, stored.question) == (1, "accepted", "Why\nnow?")


@pytest.mark.parametrize("question", ["", "   ", "\n", "\u200b\u00a0", "a\x00b", "a\ud800b"])
def test_what_is_no_question_is_refused(conversation: Conversation, question: str) -> None:
    with pytest.raises(InvalidQuestion):
        accept(conversation, question)
    assert not Turn.objects.exists()


def test_a_question_over_the_limit_is_refused_with_the_limit_in_words(conversation: Conversation) -> None:
    accept(conversation, "🙂" * 4_000)
    with pytest.raises(InvalidQuestion, match="at most 4,000"):
        accept(conversation, "x" * 4_001)


def test_a_foreign_conversation_answers_like_one_that_does_not_exist(conversation: Conversation, other: Member) -> None:
    with pytest.raises(NotFound) as foreign:
        turn_accept(member=other, conversation_id=conversation.id, question="Why?")
    with pytest.raises(NotFound) as unknown:
        turn_accept(member=other, conversation_id=other.id, question="Why?")
    with pytest.raises(NotFound) as senseless:
        turn_accept(member=other, conversation_id="x", question="Why?")
    assert str(foreign.value) == str(unknown.value) == str(senseless.value)


def test_while_a_turn_runs_no_other_is_accepted(conversation: Conversation) -> None:
    first = accept(conversation).turn
    with pytest.raises(RunInProgress) as refused:
        accept(conversation, "And now?")
    assert refused.value.turn_id == str(first.id)


def test_the_same_key_and_body_give_the_same_turn_even_after_its_end(conversation: Conversation) -> None:
    first = accept(conversation, idempotency_key="k")
    turn_finish(turn_id=first.turn.id, owner=None, status="failed", fields={})
    again = accept(conversation, idempotency_key="k")
    assert (first.created, again.created, again.turn.id) == (True, False, first.turn.id)


def test_the_same_key_with_another_body_is_a_mistake(conversation: Conversation) -> None:
    accept(conversation, idempotency_key="k")
    with pytest.raises(IdempotencyMismatch):
        accept(conversation, "Why not?", idempotency_key="k")


@pytest.mark.parametrize("key", ["a\x00b", "x" * 201, "a\nb"])
def test_a_key_that_cannot_be_stored_is_refused(conversation: Conversation, key: str) -> None:
    with pytest.raises(InvalidValue):
        accept(conversation, idempotency_key=key)


def test_only_a_clarification_of_this_conversation_can_be_answered(conversation: Conversation, ask: Ask) -> None:
    plain = ask(conversation)
    asked_back = ask(conversation, "That one?", status="clarified", answer="")
    with pytest.raises(InvalidQuestion):
        accept(conversation, answers=plain.id)
    elsewhere = conversation_create(member=conversation.member)
    with pytest.raises(InvalidQuestion):
        accept(elsewhere, answers=asked_back.id)
    assert accept(conversation, answers=str(asked_back.id)).turn.answers_id == asked_back.id


def test_replacing_an_old_version_replaces_the_newest(conversation: Conversation, ask: Ask) -> None:
    first = ask(conversation, status="failed")
    second = ask(conversation, replaces=first.id)
    assert accept(conversation, replaces=first.id).turn.replaces_id == second.id


def test_only_the_newest_version_of_an_answer_is_gone_on_with(conversation: Conversation, ask: Ask) -> None:
    cut = ask(conversation, status="cut")
    newer = ask(conversation, status="cut", replaces=cut.id)
    with pytest.raises(StepNotPossible):
        accept(conversation, replaces=cut.id, mode="continue")
    assert accept(conversation, replaces=newer.id, mode="continue").created


@pytest.mark.parametrize("named", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_a_turn_that_is_not_there_can_be_neither_answered_nor_replaced(conversation: Conversation, named: str) -> None:
    for name in ("answers", "replaces"):
        with pytest.raises(InvalidQuestion):
            accept(conversation, **{name: named})


def test_the_first_question_gives_the_title_and_later_ones_do_not(conversation: Conversation, ask: Ask) -> None:
    ask(conversation, "What is a\nsecond act?")
    ask(conversation, "And then?")
    conversation.refresh_from_db()
    assert conversation.title == "What is a second act?"


def test_a_title_the_member_gave_is_kept(conversation: Conversation, ask: Ask) -> None:
    conversation_rename(member=conversation.member, conversation_id=conversation.id, title="Mine 👨‍👩‍👧")
    ask(conversation, "What is a second act?")
    conversation.refresh_from_db()
    assert conversation.title == "Mine 👨‍👩‍👧"


def race(call: Callable[[], AcceptedTurn], *, runners: int = 6) -> list[AcceptedTurn | JourneyError]:
    """Let several threads, each with a connection of its own, make the same call at once."""
    start = Barrier(runners)

    def run() -> AcceptedTurn | JourneyError:
        try:
            connection.ensure_connection()
            start.wait(timeout=10)
            return call()
        except JourneyError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(runners) as pool:
        return [future.result() for future in [pool.submit(run) for _ in range(runners)]]


@pytest.mark.django_db(transaction=True)
def test_of_many_sends_with_one_key_exactly_one_makes_the_turn() -> None:
    conversation = conversation_create(member=member_create(email="r@example.org", password="a-long-enough-one"))
    results = race(lambda: accept(conversation, idempotency_key="k"))
    accepted = [each for each in results if isinstance(each, AcceptedTurn)]
    assert len(accepted) == len(results)
    assert [each.created for each in accepted].count(True) == 1
    assert len({each.turn.id for each in accepted}) == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_sends_at_once_exactly_one_runs() -> None:
    conversation = conversation_create(member=member_create(email="r@example.org", password="a-long-enough-one"))
    results = race(lambda: accept(conversation))
    made = [each for each in results if isinstance(each, AcceptedTurn)]
    refused = [each for each in results if isinstance(each, RunInProgress)]
    assert (len(made), len(refused)) == (1, len(results) - 1)
    assert {each.turn_id for each in refused} == {str(made[0].turn.id)}
    assert Turn.objects.count() == 1


def test_questions_of_one_transaction_keep_their_order(conversation: Conversation, ask: Ask) -> None:
    asked = [ask(conversation, f"Question {number}").question for number in range(5)]
    Turn.objects.update(accepted_at="2026-01-01T00:00:00Z")
    assert [turn.question for turn in conversation.turns.all()] == asked
