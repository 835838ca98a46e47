"""A turn's way from accepted to its ending."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models.functions import Now
from pytest_django import DjangoAssertNumQueries

from journeys.errors import NotFound
from journeys.models import Conversation, Member, Turn
from journeys.services import (
    FinishedTurn,
    conversation_create,
    member_create,
    turn_accept,
    turn_begin,
    turn_finish,
    turn_last_seq,
    turn_renew,
    turn_request_stop,
    turn_take_over,
    turns_expired,
)
from tests.journeys.conftest import Ask


@pytest.fixture
def turn(conversation: Conversation) -> Turn:
    return turn_accept(member=conversation.member, conversation_id=conversation.id, question="Why?").turn


def let_lease_run_out(turn: Turn) -> None:
    """As if the lease time had passed."""
    past = Now() - timedelta(seconds=60)
    Turn.objects.filter(pk=turn.pk).update(lease_until=past, accepted_at=past)


def test_a_turn_begins_once(turn: Turn) -> None:
    begun = turn_begin(turn_id=turn.id, owner=uuid4(), lease_seconds=10)
    assert begun is not None
    assert begun.status == "running"
    assert turn_begin(turn_id=turn.id, owner=uuid4(), lease_seconds=10) is None


def test_only_the_owner_renews(turn: Turn) -> None:
    owner = uuid4()
    turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
    assert turn_renew(turn_id=turn.id, owner=owner, lease_seconds=10).held
    assert not turn_renew(turn_id=turn.id, owner=uuid4(), lease_seconds=10).held


def test_the_lease_tells_of_a_stop_and_of_a_member_who_may_not_go_on(turn: Turn, member: Member) -> None:
    owner = uuid4()
    turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
    turn_request_stop(member=member, turn_id=turn.id)
    Member.objects.update(is_active=False)
    lease = turn_renew(turn_id=turn.id, owner=owner, lease_seconds=10)
    assert (lease.held, lease.stop_requested, lease.member_active) == (True, True, False)


def test_a_stop_after_the_end_changes_nothing(turn: Turn, member: Member) -> None:
    turn_finish(turn_id=turn.id, owner=None, status="failed", fields={})
    assert turn_request_stop(member=member, turn_id=turn.id).stop_requested_at is None


def test_a_foreign_turn_cannot_be_stopped(turn: Turn, other: Member) -> None:
    with pytest.raises(NotFound):
        turn_request_stop(member=other, turn_id=turn.id)
    turn.refresh_from_db()
    assert turn.stop_requested_at is None


def test_an_ending_is_stored_with_all_it_knows(turn: Turn) -> None:
    owner = uuid4()
    turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
    fields = {"answer": "So\x00 it is.", "citations": ({"source": 1},), "sources_used": (1,)}
    finished = turn_finish(turn_id=turn.id, owner=owner, status="answered", fields=fields, last_seq=9)
    assert finished is not None
    stored = Turn.objects.get(pk=turn.pk)
    assert (stored.status, stored.answer, stored.citations, stored.sources_used) == (
        "answered",
        "So it is.",
        [{"source": 1}],
        [1],
    )
    assert (stored.last_seq, stored.lease_owner, stored.lease_until) == (9, None, None)
    assert stored.finished_at is not None


def test_a_turn_ends_once_and_only_by_its_owner(turn: Turn) -> None:
    owner = uuid4()
    turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
    assert turn_finish(turn_id=turn.id, owner=uuid4(), status="failed", fields={}) is None
    assert turn_finish(turn_id=turn.id, owner=owner, status="answered", fields={"answer": "Yes."}) is not None
    assert turn_finish(turn_id=turn.id, owner=None, status="failed", fields={}) is None


@pytest.mark.parametrize(("status", "fields"), [("running", {}), ("done", {}), ("answered", {"number": 7})])
def test_what_is_no_ending_is_refused(turn: Turn, status: str, fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="Cannot end"):
        turn_finish(turn_id=turn.id, owner=None, status=status, fields=fields)


def test_a_silent_run_is_found_and_taken_over_once(turn: Turn) -> None:
    first, second = uuid4(), uuid4()
    turn_begin(turn_id=turn.id, owner=uuid4(), lease_seconds=10)
    assert turns_expired(lease_seconds=10) == []
    let_lease_run_out(turn)
    assert turns_expired(lease_seconds=10) == [turn.id]
    assert turn_take_over(turn_id=turn.id, owner=first, lease_seconds=10) is not None
    assert turn_take_over(turn_id=turn.id, owner=second, lease_seconds=10) is None


def test_a_turn_that_never_began_is_found_too_and_cannot_begin_afterwards(turn: Turn) -> None:
    let_lease_run_out(turn)
    assert turns_expired(lease_seconds=10) == [turn.id]
    assert turn_take_over(turn_id=turn.id, owner=uuid4(), lease_seconds=10) is not None
    assert turn_begin(turn_id=turn.id, owner=uuid4(), lease_seconds=10) is None


def test_the_last_seq_never_goes_back(turn: Turn) -> None:
    turn_last_seq(turn_id=turn.id, seq=5)
    turn_last_seq(turn_id=turn.id, seq=3)
    turn.refresh_from_db()
    assert turn.last_seq == 5


@pytest.mark.django_db(transaction=True)
def test_of_two_endings_at_once_exactly_one_is_stored() -> None:
    member = member_create(email="r@example.org", password="a-long-enough-one")
    conversation = conversation_create(member=member)
    turn = turn_accept(member=member, conversation_id=conversation.id, question="Why?").turn

    def end(status: str) -> FinishedTurn | None:
        try:
            return turn_finish(turn_id=turn.id, owner=None, status=status, fields={"answer": status})
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(end, ["answered", "stopped", "failed", "interrupted"]))
    stored = [each for each in ends if each is not None]
    assert len(stored) == 1
    kept = Turn.objects.get(pk=turn.pk)
    assert (kept.status, kept.answer) == (stored[0].turn.status, stored[0].turn.status)


@pytest.mark.usefixtures("stages")
def test_an_ending_stays_cheap_however_long_the_way(
    conversation: Conversation, ask: Ask, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(8):
        ask(conversation, intent="general", sources=[{"number": 1, "content_type": "exercise"}])
    turn = turn_accept(member=conversation.member, conversation_id=conversation.id, question="Why?").turn
    with django_assert_max_num_queries(14):
        turn_finish(turn_id=turn.id, owner=None, status="answered", fields={"answer": "So."})
