"""From a stored turn to the request a run answers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from journeys import selectors, services
from journeys.models import Member, Profile, Turn
from pipeline.memory import memory_window
from pipeline.turn import MemberContext, MemoryTurn, TurnRequest


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn that was just begun: what to answer, and its body as clients see it."""

    request: TurnRequest
    body: dict[str, Any]
    stop_requested: bool


def begin(*, turn_id: UUID, owner: UUID, lease_seconds: float) -> Asked | None:
    """Take an accepted turn under a lease. None when it is not accepted any more."""
    turn = services.turn_begin(turn_id=turn_id, owner=owner, lease_seconds=lease_seconds)
    if turn is None:
        return None
    return Asked(request_of(turn), selectors.turn_body(turn), turn.stop_requested_at is not None)


def request_of(turn: Turn) -> TurnRequest:
    """All a run needs to answer this turn."""
    earlier = selectors.turn_memory(turn=turn, limit=settings.MEMORY_TURNS)
    memory = memory_window([_remembered(each) for each in earlier], limit=settings.MEMORY_TURNS)
    continued = turn.replaces if turn.mode == "continue" else None
    return TurnRequest(
        turn=str(turn.id),
        conversation=str(turn.conversation_id),
        number=turn.number,
        question=turn.question,
        memory=memory,
        answers=_remembered(turn.answers) if turn.answers else None,
        answer_anyway=turn.answer_anyway or _asked_back_before(turn),
        continue_from=continued.answer if continued else "",
        member=_context_of(turn.conversation.member),
    )


def _asked_back_before(turn: Turn) -> bool:
    """Whether it takes the place of a turn that asked back: the same question is not asked back about twice running."""
    return turn.replaces is not None and turn.replaces.status == Turn.Status.CLARIFIED


def _remembered(turn: Turn) -> MemoryTurn:
    return MemoryTurn(
        question=turn.question,
        standalone=turn.standalone_question,
        answer=turn.answer,
        status=turn.status,
        concepts=tuple(turn.concepts),
        clarification=(turn.clarification or {}).get("question", ""),
    )


def _context_of(member: Member) -> MemberContext:
    try:
        profile = member.profile
    except Profile.DoesNotExist:
        return MemberContext()
    stage = profile.stage
    return MemberContext(
        stage=stage.slug if stage else None,
        stage_name=stage.name if stage else "",
        stage_framing=stage.framing if stage else "",
        persona=str(profile.persona_id) if profile.persona_id else None,
        country=profile.country,
    )
