"""What is read of members, conversations and journeys. Another member's id answers like one that does not exist."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from journeys.errors import InvalidValue, NotFound
from journeys.models import Conversation, Feedback, Invitation, Member, Profile, Stage, StageChange, Turn
from journeys.stages import StageHistory
from journeys.tokens import token_fits, token_id

_MOVES = (StageChange.Kind.ACCEPTED, StageChange.Kind.CORRECTED, StageChange.Kind.UNDONE)
_NOES = (StageChange.Kind.DECLINED, StageChange.Kind.UNDONE)
_EXERCISES = frozenset({"exercise", "worksheet"})
_EXERCISES_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Journey:
    """Where a member stands, what is proposed to them, and how they came here."""

    stage: Stage | None
    proposal: StageChange | None
    changes: tuple[StageChange, ...]
    """Newest first."""


def id_of(value: object) -> uuid.UUID:
    """This value as an id. Raises NotFound for what cannot be one."""
    try:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))
    except ValueError as error:
        raise NotFound from error


def profile_of(member: Member) -> Profile:
    """The member's profile with stage and persona; an unsaved empty one when there is none yet."""
    profile = Profile.objects.select_related("stage", "persona").filter(member=member).first()
    return profile or Profile(member=member)


def invitation_of_token(token: str) -> Invitation | None:
    """The invitation whose latest link holds this token, whatever has become of it."""
    invitation_id = token_id(token)
    found = Invitation.objects.filter(pk=invitation_id).first() if invitation_id else None
    return found if found is not None and token_fits(token, found) else None


def turn_to_explain(*, turn_id: object, viewer: Member | None) -> Turn:
    """A finished turn that an editor may look at: their own, or of a member who lets them. Raises NotFound.

    Nothing about danger to life or health is ever shown.
    """
    allowed = Q(conversation__member__profile__share_questions=True)
    if viewer is not None:
        allowed |= Q(conversation__member=viewer)
    found = (
        Turn.objects.filter(allowed, id=id_of(turn_id), care=False)
        .exclude(status__in=Turn.UNFINISHED)
        .select_related("conversation__member__profile")
        .first()
    )
    if found is None:
        raise NotFound
    return found


def stage_list() -> QuerySet[Stage]:
    """Every stage, in the order of the way."""
    return Stage.objects.order_by("ordinal")


def conversation_get(*, member: Member, conversation_id: object) -> Conversation:
    """One conversation of this member. Raises NotFound."""
    found = Conversation.objects.filter(member=member, id=id_of(conversation_id)).first()
    if found is None:
        raise NotFound
    return found


def conversation_list(*, member: Member, search: str = "") -> QuerySet[Conversation]:
    """This member's conversations, latest first; with `search` those whose title or a question holds it."""
    if "\x00" in search:
        raise InvalidValue("A search cannot hold the NUL character.")
    mine = Conversation.objects.filter(member=member).order_by("-changed_at", "-id")
    wanted = search.strip()
    if not wanted:
        return mine
    asked = Turn.objects.filter(conversation=OuterRef("pk"), question__icontains=wanted)
    return mine.filter(Q(title__icontains=wanted) | Exists(asked))


def turn_get(*, member: Member, turn_id: object) -> Turn:
    """One turn of this member, with its conversation and feedback. Raises NotFound."""
    found = (
        Turn.objects.select_related("conversation", "feedback")
        .filter(conversation__member=member, id=id_of(turn_id))
        .first()
    )
    if found is None:
        raise NotFound
    return found


def turn_list(conversation: Conversation) -> QuerySet[Turn]:
    """The turns of a conversation in their order; those that a later one replaces are hidden."""
    return (
        Turn.objects.filter(conversation=conversation, replaced_by__isnull=True)
        .select_related("feedback")
        .order_by("number")
    )


def turn_memory(*, turn: Turn, limit: int = 5) -> list[Turn]:
    """The last turns before this one that are worth remembering, oldest first.

    Left out: turns that a later one replaced, turns about danger, turns that failed, and turns with neither answer nor
    clarification.
    """
    said = Q(answer__regex=r"\S") | Q(status=Turn.Status.CLARIFIED)
    earlier = (
        Turn.objects.filter(said, conversation=turn.conversation_id, number__lt=turn.number, care=False)
        .filter(status__in=Turn.REMEMBERED, replaced_by__isnull=True)
        .order_by("-number")
    )
    return list(reversed(earlier[:limit]))


def open_proposal(member: Member) -> StageChange | None:
    """The proposal this member has not answered yet."""
    return (
        StageChange.objects.select_related("before", "after")
        .filter(member=member, kind=StageChange.Kind.PROPOSED, resolution__isnull=True)
        .order_by("-number")
        .first()
    )


def journey_of(member: Member) -> Journey:
    """Where this member stands."""
    changes = StageChange.objects.select_related("before", "after").filter(member=member).order_by("-number")
    return Journey(stage=profile_of(member).stage, proposal=open_proposal(member), changes=tuple(changes))


def stage_history(*, member: Member, stage: str | None) -> StageHistory:
    """What this member asked since they entered `stage`, as the rules of progress read it."""
    changes = list(StageChange.objects.filter(member=member).order_by("-number").values_list("kind", "at"))
    entered = next((at for kind, at in changes if kind in _MOVES), None)
    refused = next((at for kind, at in changes if kind in _NOES), None)
    asked = Turn.objects.filter(
        conversation__member=member, status=Turn.Status.ANSWERED, care=False, replaced_by__isnull=True
    ).order_by()
    here = asked if entered is None else asked.filter(accepted_at__gt=entered)
    return StageHistory(
        stage=stage,
        asked=dict(here.values_list("intent").annotate(count=Count("pk"))),
        exercises=_exercises_taken_up(here),
        asked_since_no=None if refused is None else asked.filter(accepted_at__gt=refused).count(),
    )


def _exercises_taken_up(turns: QuerySet[Turn]) -> int:
    """How many of the latest answers that were offered an exercise or a worksheet rest on one."""
    offered = Q()
    for kind in _EXERCISES:
        offered |= Q(sources__contains=[{"content_type": kind}])
    latest = turns.filter(offered).order_by("-accepted_at").values_list("sources", "sources_used")
    return sum(map(_took_up_exercise, latest[:_EXERCISES_LOOKED_AT]))


def _took_up_exercise(answer: tuple[list[dict[str, Any]], list[int]]) -> bool:
    """Whether an answer, given as (sources, numbers used), rests on an exercise or a worksheet."""
    sources, used = answer
    return any(source.get("content_type") in _EXERCISES and source.get("number") in used for source in sources)


def turn_body(turn: Turn) -> dict[str, Any]:
    """The body of `GET /turns/{id}` and of a `turn.snapshot`, in plain JSON values."""
    return {
        "id": str(turn.id),
        "conversation": str(turn.conversation_id),
        "number": turn.number,
        "status": turn.status,
        "question": turn.question,
        "answers": _id_text(turn.answers_id),
        "answer_anyway": turn.answer_anyway,
        "replaces": _id_text(turn.replaces_id),
        "intent": turn.intent,
        "confidence": turn.confidence,
        "clarity": turn.clarity,
        "standalone_question": turn.standalone_question,
        "clarification": turn.clarification,
        "answer": turn.answer,
        "stop_reason": turn.stop_reason,
        "sources": turn.sources,
        "citations": turn.citations,
        "sources_used": turn.sources_used,
        "suggestions": turn.suggestions,
        "journey": turn.journey or None,
        "degraded": turn.degraded,
        "care": turn.care,
        "timings": turn.timings,
        "usage": turn.usage,
        "error": {"code": turn.error_code, "message": turn.error_message} if turn.error_code else None,
        "may_retry": turn.status in Turn.MAY_RETRY,
        "last_seq": turn.last_seq,
        "events_url": turn_events_url(turn.id),
        "accepted_at": turn.accepted_at.isoformat(),
        "finished_at": turn.finished_at.isoformat() if turn.finished_at else None,
        "feedback": _feedback_body(turn),
    }


def turn_events_url(turn_id: object) -> str:
    """Where a turn's events are followed."""
    return f"/api/v1/turns/{turn_id}/events"


def _id_text(value: uuid.UUID | None) -> str | None:
    return None if value is None else str(value)


def _feedback_body(turn: Turn) -> dict[str, Any] | None:
    try:
        given = turn.feedback
    except Feedback.DoesNotExist:
        return None
    return {"rating": given.rating, "reason": given.reason, "at": given.at.isoformat()}
