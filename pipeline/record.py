"""What a finished turn leaves behind, and what its journey answers. No Django, no events."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """All a finished run knows, as journeys stores it. Every field mirrors one of journeys.models.Turn."""

    turn: str
    status: str
    intent: str = ""
    confidence: float | None = None
    clarity: float | None = None
    standalone_question: str = ""
    search: Mapping[str, object] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    needs_retrieval: bool | None = None
    space: str = ""
    care: bool = False
    answer: str = ""
    stop_reason: str = ""
    clarification: Mapping[str, object] | None = None
    sources: tuple[Mapping[str, object], ...] = ()
    citations: tuple[Mapping[str, object], ...] = ()
    sources_used: tuple[int, ...] = ()
    suggestions: tuple[Mapping[str, object], ...] = ()
    degraded: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    usage: Mapping[str, object] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    error_code: str = ""
    error_message: str = ""


@dataclass(frozen=True, slots=True)
class JourneyView:
    """Where the member stands after the turn."""

    stage: str | None = None
    proposed_stage: str | None = None
    reason: str = ""
