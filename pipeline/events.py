"""The frozen stream events: the wire schema of a turn. Nodes do not know them; runner.py makes them.

Every frame on the wire is `{v, type, turn, seq, data}`; the run log gives the seq.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

VERSION = 1


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The run has begun."""

    type: ClassVar[str] = "turn.started"
    conversation: str
    question: str


@dataclass(frozen=True, slots=True)
class Status:
    """Which node works now, with a label for people."""

    type: ClassVar[str] = "status"
    node: str
    label: str


@dataclass(frozen=True, slots=True)
class IntentFound:
    """What the intent node found."""

    type: ClassVar[str] = "intent.found"
    intent: str
    confidence: float
    clarity: float
    standalone_question: str
    care: bool = False


@dataclass(frozen=True, slots=True)
class ClarificationAsked:
    """The gate asks back; no node runs after it."""

    type: ClassVar[str] = "clarification.asked"
    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourcesFound:
    """The numbered sources that the answer may cite, each as SourceBody."""

    type: ClassVar[str] = "sources.found"
    sources: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A piece of the answer; joined they equal the stored answer, byte for byte."""

    type: ClassVar[str] = "answer.delta"
    text: str


@dataclass(frozen=True, slots=True)
class AnswerCitation:
    """The answer's span [start, end), in code points, rests on the quoted words of a source."""

    type: ClassVar[str] = "answer.citation"
    source: int
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The answer's text is complete."""

    type: ClassVar[str] = "answer.done"
    stop_reason: str
    sources_used: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SuggestionsReady:
    """Follow-up questions, each `{text, reason}`."""

    type: ClassVar[str] = "suggestions.ready"
    suggestions: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class JourneyUpdated:
    """Where the member stands, and a stage proposed with its reason."""

    type: ClassVar[str] = "journey.updated"
    stage: str | None
    proposed_stage: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn ended and is stored; timings in milliseconds a node, usage in tokens a node."""

    type: ClassVar[str] = "turn.done"
    status: str
    timings: Mapping[str, float]
    usage: Mapping[str, Any]
    degraded: tuple[str, ...]
    care: bool = False


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended `failed` or `interrupted`; what was shown is kept."""

    type: ClassVar[str] = "turn.failed"
    status: str
    code: str
    message: str
    may_retry: bool


@dataclass(frozen=True, slots=True)
class TurnSnapshot:
    """The body of `GET /turns/{id}`; it replaces what the client has."""

    type: ClassVar[str] = "turn.snapshot"
    body: Mapping[str, Any]


Event = (
    TurnStarted
    | Status
    | IntentFound
    | ClarificationAsked
    | SourcesFound
    | AnswerDelta
    | AnswerCitation
    | AnswerDone
    | SuggestionsReady
    | JourneyUpdated
    | TurnDone
    | TurnFailed
    | TurnSnapshot
)
TERMINAL_TYPES = frozenset({TurnDone.type, TurnFailed.type})


def frame_of(event: Event, *, turn: str, seq: int) -> dict[str, Any]:
    """The frame of an event as it goes over the wire; a snapshot's data is its body itself."""
    data = dict(event.body) if isinstance(event, TurnSnapshot) else asdict(event)
    return {"v": VERSION, "type": event.type, "turn": turn, "seq": seq, "data": data}
