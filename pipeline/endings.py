"""How a turn ends that no node has ended, and the storing of any ending."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from corpus.errors import CorpusError
from journeys import selectors, services
from journeys.errors import JourneyError
from journeys.models import Turn
from journeys.services import FinishedTurn
from pipeline import events
from pipeline.errors import PipelineError
from pipeline.speech import AnswerFull


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ends that no node has ended."""

    status: str
    code: str = ""
    message: str = ""

    def fields(self) -> dict[str, str]:
        """What is stored of it beside the status."""
        return {"error_code": self.code, "error_message": self.message}

    def event(self, stored: Mapping[str, Any]) -> events.TurnDone | events.TurnFailed:
        """The terminal event of a turn with these stored fields."""
        if self.status in (Turn.Status.FAILED, Turn.Status.INTERRUPTED):
            return events.TurnFailed(self.status, self.code, self.message, may_retry=True)
        return events.TurnDone(
            self.status,
            timings=stored.get("timings", {}),
            usage=stored.get("usage", {}),
            degraded=tuple(stored.get("degraded", ())),
            care=stored.get("care", False),
        )


STOPPED = Ending(Turn.Status.STOPPED)
INTERRUPTED = Ending(
    Turn.Status.INTERRUPTED,
    "interrupted",
    "The answer was interrupted. What was written is kept; you can ask again.",
)
CLARIFIED = Ending(Turn.Status.CLARIFIED)
CUT = Ending(Turn.Status.CUT)
INTERNAL = Ending(Turn.Status.FAILED, "internal_error", "Something went wrong on our side. You can ask again.")
TOO_LONG = Ending(Turn.Status.FAILED, "took_too_long", "The answer took too long. You can ask again.")


def ending_of(error: BaseException | None) -> Ending:
    """How a turn ends whose work was broken off by this error, or cancelled by nobody we know of."""
    match error:
        case None:
            return INTERRUPTED
        case AnswerFull():
            return CUT
        case TimeoutError():
            return TOO_LONG
        case PipelineError() | CorpusError() | JourneyError():
            return Ending(Turn.Status.FAILED, error.code, str(error))
    return INTERNAL


def store_ending(
    turn_id: UUID, owner: UUID, status: str, fields: Mapping[str, Any], last_seq: int, *, tried: bool
) -> tuple[FinishedTurn, dict[str, Any]] | None:
    """Store an ending; the turn's body after it. None when the turn is not this owner's any more.

    `tried` says that an earlier try broke off, and may have been stored.
    """
    finished = services.turn_finish(turn_id=turn_id, owner=owner, status=status, fields=fields, last_seq=last_seq)
    if finished is None and tried:
        finished = _stored_by_the_lost_try(turn_id, status, fields)
    return (finished, selectors.turn_body(finished.turn)) if finished else None


def _stored_by_the_lost_try(turn_id: UUID, status: str, fields: Mapping[str, Any]) -> FinishedTurn | None:
    """A connection that broke at the commit leaves open whether it was made: this very ending in the row says yes."""
    turn = Turn.objects.filter(pk=turn_id, status=status, answer=fields.get("answer", "")).first()
    if turn is None:
        return None
    journey = turn.journey
    return FinishedTurn(turn, journey.get("stage"), journey.get("proposed_stage"), journey.get("reason", ""))
