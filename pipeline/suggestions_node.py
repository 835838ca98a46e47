"""The suggestions node: follow-up questions that the library can answer, each with the reason it is offered."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from corpus.errors import CorpusError
from pipeline.errors import ModelUnavailable
from pipeline.leaks import recites
from pipeline.llm.model import LanguageModel, SuggestionReply, SuggestionRequest
from pipeline.plain_text import plain_text
from pipeline.prompts import prompt_of
from pipeline.turn import Context, Intent, Retrieval, Suggestion, Suggestions, TurnRequest
from pipeline.words import same_question

MAX_CANDIDATES = 6
MAX_SHOWN = 4
MODEL_SECONDS = 8.0
PROBE_SECONDS = 3.0

Probe = Callable[[Sequence[str]], Awaitable[Sequence[float]]]


async def suggest(
    *,
    request: TurnRequest,
    intent: Intent,
    retrieval: Retrieval,
    context: Context,
    model: LanguageModel,
    local: LanguageModel,
    probe: Probe,
) -> Suggestions:
    """Three or four follow-ups, fewer only when fewer can be answered; none repeats a question of the conversation.

    A model that fails or takes too long gives way to the local templates; when the library cannot be asked, the
    candidates are shown unprobed. Both are marked degraded.
    """
    prompt = prompt_of("suggestions")
    asked = (request.question, intent.standalone, *(turn.question for turn in request.memory))
    ask = SuggestionRequest(
        question=request.question,
        standalone=intent.standalone,
        intent=intent.kind,
        concepts=_concepts(intent, retrieval, context),
        context=context,
        member=request.member,
        prompt=prompt.text,
        asked=asked,
        connections=_connections(retrieval),
    )
    reply, degraded = await _candidates(ask, model, local)
    unrecited = tuple(each for each in reply.candidates if not recites(f"{each.text} {each.reason}", prompt.text))
    candidates = _cleaned(unrecited, asked)
    items, unprobed = await _answerable(candidates, probe)
    return Suggestions(items[:MAX_SHOWN], degraded or unprobed, prompt.version, reply.usage, reply.model)


async def _candidates(
    ask: SuggestionRequest, model: LanguageModel, local: LanguageModel
) -> tuple[SuggestionReply, bool]:
    try:
        async with asyncio.timeout(MODEL_SECONDS):
            return await model.suggest(ask), False
    except (ModelUnavailable, TimeoutError):
        return await local.suggest(ask), True


def _concepts(intent: Intent, retrieval: Retrieval, context: Context) -> tuple[str, ...]:
    """Names of concepts near the question: those it named first, then those the graph found beside them."""
    found = (name for item in retrieval.graph_results for name in item.entities)
    return tuple(dict.fromkeys([*intent.concepts, *context.concepts, *found]))


def _connections(retrieval: Retrieval) -> tuple[tuple[str, str], ...]:
    """Concepts that the question does not name, each with one that it names and that it is related to."""
    found: dict[str, str] = {}
    for item in retrieval.graph_results:
        for name in item.entities:
            if item.asked and name not in item.asked:
                found.setdefault(name, item.asked[0])
    return tuple(found.items())


def _cleaned(candidates: Sequence[Suggestion], asked: Sequence[str]) -> tuple[Suggestion, ...]:
    """The candidates as plain text, without what was asked before and what says the same twice."""
    kept: list[Suggestion] = []
    for candidate in candidates[:MAX_CANDIDATES]:
        text = plain_text(candidate.text)
        if text and not any(same_question(text, other) for other in (*asked, *(item.text for item in kept))):
            kept.append(Suggestion(text, plain_text(candidate.reason)))
    return tuple(kept)


async def _answerable(candidates: tuple[Suggestion, ...], probe: Probe) -> tuple[tuple[Suggestion, ...], bool]:
    """The candidates that the library has something for, in order; and whether it could not be asked."""
    if not candidates:
        return (), False
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            nearest = await probe([candidate.text for candidate in candidates])
    except (CorpusError, TimeoutError):
        return candidates, True
    return tuple(item for item, similarity in zip(candidates, nearest, strict=True) if similarity > 0), False
