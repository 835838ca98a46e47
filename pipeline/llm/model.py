"""What the pipeline needs of a language model, and the values it passes."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.turn import AnswerPart, Context, Intent, MemberContext, MemoryTurn, Suggestion, TurnRequest


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """All an answerer reads."""

    question: str
    standalone: str
    intent: str
    context: Context
    memory: tuple[MemoryTurn, ...]
    member: MemberContext
    prompt: str
    needs_retrieval: bool = True
    continue_from: str = ""
    max_tokens: int = 1_200


@dataclass(frozen=True, slots=True)
class SuggestionRequest:
    """All a suggester reads."""

    question: str
    standalone: str
    intent: str
    concepts: tuple[str, ...]
    context: Context
    member: MemberContext
    prompt: str
    asked: tuple[str, ...] = ()
    """Earlier questions of the conversation, not to be offered again."""
    connections: tuple[tuple[str, str], ...] = ()
    """Concepts beside the question's own, each with the one it is related to; the strongest relation first."""


@dataclass(frozen=True, slots=True)
class SuggestionReply:
    """At most 6 candidates."""

    candidates: tuple[Suggestion, ...]
    usage: Mapping[str, int] = field(default_factory=dict)
    model: str = ""


class LanguageModel(Protocol):
    """One provider's model. Each call raises ModelUnavailable; `answer` raises StreamBroken after its first part."""

    name: str

    async def classify(self, request: TurnRequest, prompt: str) -> Intent:
        """What the member wants with the question."""
        ...

    def answer(self, request: AnswerRequest) -> AsyncGenerator[AnswerPart, None]:
        """The answer as it is written: deltas and citations, then one AnswerEnd.

        A citation's start and end count in the whole answer as the model wrote it, `continue_from` included. Closing
        the generator ends the call at the provider.
        """
        ...

    async def suggest(self, request: SuggestionRequest) -> SuggestionReply:
        """Candidates for follow-up questions."""
        ...

    async def ping(self) -> None:
        """Return when it could answer now. Raises ModelUnavailable."""
        ...
