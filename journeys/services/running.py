"""A turn's way from accepted to its ending. Every time is the database's, every step is conditional on the row."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Expression, Q
from django.db.models.functions import Now

from journeys.models import Member, Turn
from journeys.selectors import turn_get
from journeys.services.steps import stage_consider

FINISH_FIELDS = frozenset(
    {
        "intent",
        "confidence",
        "clarity",
        "standalone_question",
        "search",
        "concepts",
        "needs_retrieval",
        "space",
        "care",
        "answer",
        "stop_reason",
        "clarification",
        "sources",
        "citations",
        "sources_used",
        "suggestions",
        "degraded",
        "timings",
        "usage",
        "prompts",
        "error_code",
        "error_message",
    }
)
"""The fields of a turn that its ending may set."""

_WITH_JOURNEY = (Turn.Status.ANSWERED, Turn.Status.NOT_COVERED, Turn.Status.CUT, Turn.Status.REFUSED)


@dataclass(frozen=True, slots=True)
class Lease:
    """What a run learns each time it renews its lease."""

    held: bool
    stop_requested: bool
    member_active: bool


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A stored ending, and where the member stands after it (slugs)."""

    turn: Turn
    stage: str | None
    proposed_stage: str | None
    reason: str


def turn_begin(*, turn_id: UUID | str, owner: UUID, lease_seconds: float) -> Turn | None:
    """Start running an accepted turn under a lease. None when it is not accepted any more."""
    begun = Turn.objects.filter(id=turn_id, status=Turn.Status.ACCEPTED).update(
        status=Turn.Status.RUNNING, lease_owner=owner, lease_until=_in(lease_seconds), started_at=Now()
    )
    return _with_member(turn_id) if begun else None


def turn_renew(*, turn_id: UUID | str, owner: UUID, lease_seconds: float) -> Lease:
    """Keep a running turn for `owner`, and learn whether a stop was asked for or the member may not go on."""
    mine = Turn.objects.filter(id=turn_id, status=Turn.Status.RUNNING, lease_owner=owner)
    if not mine.update(lease_until=_in(lease_seconds)):
        return Lease(held=False, stop_requested=False, member_active=True)
    row = mine.values_list("stop_requested_at", "conversation__member__is_active").first()
    if row is None:
        return Lease(held=False, stop_requested=False, member_active=True)
    return Lease(held=True, stop_requested=row[0] is not None, member_active=row[1])


def turn_request_stop(*, member: Member, turn_id: object) -> Turn:
    """Ask for a turn to be stopped; a finished one stays as it is. Raises NotFound."""
    turn = turn_get(member=member, turn_id=turn_id)
    Turn.objects.filter(id=turn.id, status__in=Turn.UNFINISHED, stop_requested_at__isnull=True).update(
        stop_requested_at=Now()
    )
    return turn_get(member=member, turn_id=turn_id)


def turn_finish(
    *,
    turn_id: UUID | str,
    owner: UUID | None,
    status: str,
    fields: Mapping[str, object],
    last_seq: int | None = None,
) -> FinishedTurn | None:
    """Store the ending of an unfinished turn; None when it has ended already or is not `owner`'s any more.

    `fields` are those of TurnRecord. An answer outside of care may propose a stage. Raises ValueError for a status
    that is no ending and for a field that an ending does not set.
    """
    unknown = set(fields) - FINISH_FIELDS
    if unknown or status in Turn.UNFINISHED or status not in Turn.Status.values:
        raise ValueError(f"Cannot end a turn as {status!r} with {sorted(unknown)}.")
    with transaction.atomic():
        ours = Q() if owner is None else Q(lease_owner=owner)
        turn = (
            # The lock waits for whoever ends it first and then looks again: exactly one ending is stored.
            Turn.objects.select_for_update(no_key=True, of=("self",))
            .select_related("conversation__member")
            .filter(ours, id=turn_id, status__in=Turn.UNFINISHED)
            .first()
        )
        if turn is None:
            return None
        for name, value in fields.items():
            setattr(turn, name, _storable(value))
        turn.status = status
        turn.lease_owner = turn.lease_until = None
        turn.last_seq = turn.last_seq if last_seq is None else last_seq
        turn.clean_fields(exclude=["conversation", "answers", "replaces"])
        turn.finished_at = Now()
        turn.save()
        finished = _with_journey(turn)
        turn.refresh_from_db(fields=["finished_at"])
        return finished


def turns_expired(*, lease_seconds: float) -> list[UUID]:
    """Turns nobody keeps any more: a lease that ran out, or accepted for a lease time and never begun."""
    return list(Turn.objects.filter(_expired(lease_seconds)).order_by("accepted_at").values_list("id", flat=True))


def turn_take_over(*, turn_id: UUID | str, owner: UUID, lease_seconds: float) -> Turn | None:
    """Take a turn nobody keeps, to end it. None when somebody keeps it, or another was quicker."""
    taken = Turn.objects.filter(_expired(lease_seconds), id=turn_id).update(
        status=Turn.Status.RUNNING, lease_owner=owner, lease_until=_in(lease_seconds)
    )
    return _with_member(turn_id) if taken else None


def turn_last_seq(*, turn_id: UUID | str, seq: int) -> None:
    """Remember the seq of a turn's last event; it never goes back."""
    Turn.objects.filter(id=turn_id, last_seq__lt=seq).update(last_seq=seq)


def _in(seconds: float) -> Expression:
    """This many seconds from now by the database's clock."""
    return Now() + timedelta(seconds=seconds)


def _expired(lease_seconds: float) -> Q:
    never_begun = Q(status=Turn.Status.ACCEPTED, accepted_at__lt=Now() - timedelta(seconds=lease_seconds))
    return never_begun | Q(status=Turn.Status.RUNNING, lease_until__lt=Now())


def _with_member(turn_id: UUID | str) -> Turn | None:
    """The turn with all a run reads of it, or None when it was deleted meanwhile."""
    return (
        Turn.objects.select_related("conversation__member__profile__stage", "answers", "replaces")
        .filter(id=turn_id)
        .first()
    )


def _with_journey(turn: Turn) -> FinishedTurn:
    """Where the member stands after this turn, kept on the turn for those that end with an answer."""
    standing = stage_consider(turn=turn)
    if turn.status in _WITH_JOURNEY:
        turn.journey = {
            "stage": standing.stage,
            "proposed_stage": standing.proposed_stage,
            "reason": standing.reason,
        }
        Turn.objects.filter(id=turn.id).update(journey=turn.journey)
    return FinishedTurn(turn=turn, stage=standing.stage, proposed_stage=standing.proposed_stage, reason=standing.reason)


def storable_text(text: str) -> str:
    """The text as Postgres can hold it: without NUL, a question mark for each lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _storable(value: Any) -> Any:
    """The value with lists for tuples and storable texts: an ending must never fail on one."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, Mapping):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value
