"""Claude over the wire, with a provider of our own at the other end and little patience."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from benchmarks.provider import Provider
from pipeline.llm.claude import ClaudeModel
from pipeline.llm.claude_access import ClaudeAccess, ClaudeLimits
from pipeline.llm.model import AnswerRequest, SuggestionRequest
from pipeline.llm.trying import Limits
from pipeline.prompts import prompt_of
from pipeline.turn import AnswerPart, Citation, Delta, MemberContext
from tests.pipeline.fakes import context_of

HAIKU, SONNET = "claude-haiku-4-5", "claude-sonnet-4-5"
# Long enough that a busy machine passes, short enough that a test of silence does not drag on.
PATIENT = ClaudeLimits(
    intent=Limits(connect=5.0, attempt=10.0, total=20.0, tries=2),
    answer=Limits(connect=5.0, attempt=10.0, total=20.0, tries=3),
    suggestions=Limits(connect=5.0, attempt=10.0, total=20.0, tries=2),
    silence=20.0,
)
HASTY = replace(PATIENT, answer=Limits(connect=5.0, attempt=0.3, total=1.0, tries=2))
IMPATIENT_LATER = replace(PATIENT, silence=0.3, whole_answer=0.6)
TEXTS = ("Failure teaches. It hurts at first.", "Grit is a habit. Rest feeds it.")


def access_of(provider: Provider, limits: ClaudeLimits = PATIENT, **fields: tuple[str, ...]) -> ClaudeAccess:
    """The way to this provider."""
    names = {"fast_models": (HAIKU,), "answer_models": (SONNET,), **fields}
    return ClaudeAccess(api_key="a-key", base_url=provider.url, limits=limits, **names)


@asynccontextmanager
async def claude_at(
    provider: Provider, limits: ClaudeLimits = PATIENT, **fields: tuple[str, ...]
) -> AsyncIterator[ClaudeModel]:
    """Claude, closed at the end."""
    model = ClaudeModel(access_of(provider, limits, **fields))
    try:
        yield model
    finally:
        await model.close()


def ask_of(question: str = "Why do we fail?", **fields: object) -> AnswerRequest:
    """A question with two sources."""
    plain: dict[str, object] = {
        "question": question,
        "standalone": question,
        "intent": "exploration",
        "context": context_of(*TEXTS),
        "memory": (),
        "member": MemberContext(),
        "prompt": prompt_of("response").text,
    }
    return AnswerRequest(**{**plain, **fields})  # type: ignore[arg-type]


def suggestion_ask(**fields: object) -> SuggestionRequest:
    """A question to follow up."""
    plain: dict[str, object] = {
        "question": "Why do we fail?",
        "standalone": "Why do we fail?",
        "intent": "exploration",
        "concepts": ("grit",),
        "context": context_of(*TEXTS),
        "member": MemberContext(),
        "prompt": prompt_of("suggestions").text,
    }
    return SuggestionRequest(**{**plain, **fields})  # type: ignore[arg-type]


async def parts_of(model: ClaudeModel, ask: AnswerRequest | None = None) -> list[AnswerPart]:
    """All parts of an answer."""
    return [part async for part in model.answer(ask or ask_of())]


def text_of(parts: list[AnswerPart]) -> str:
    """The text of an answer."""
    return "".join(part.text for part in parts if isinstance(part, Delta))


def citations_of(parts: list[AnswerPart]) -> list[Citation]:
    """The citations of an answer."""
    return [part for part in parts if isinstance(part, Citation)]
