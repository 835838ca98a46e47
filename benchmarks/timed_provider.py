"""A turn whose models are asked over the wire, at a provider that takes fixed times; and when each of its parts ran."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.provider import Call, Provider, Reply
from benchmarks.provider.embeddings import embeddings_reply
from benchmarks.provider.messages import (
    Block,
    citation_of,
    events_of,
    stream_reply,
    structured_reply,
    suggestions_reply,
    verdict,
)
from benchmarks.timed import QUESTION, Times, clients_taking
from corpus.embeddings import QueryEmbedder, SpaceLike
from corpus.openai_access import OpenAIAccess, OpenAILimits
from corpus.openai_embedder import OpenAIEmbedder
from pipeline import events
from pipeline.llm.claude import ClaudeModel
from pipeline.llm.claude_access import ClaudeAccess
from pipeline.runner import Clients, run_turn
from pipeline.turn import MemoryTurn, TurnRequest

PIECES = 8
REWRITTEN = f"{QUESTION} Rewritten."
_MEMORY = (MemoryTurn("What is a habit?", "What is a habit?", "Something done without deciding.", "answered"),)


@dataclass(frozen=True, slots=True)
class Span:
    """That something ran from here to there, by time.monotonic."""

    name: str
    began: float
    ended: float


@dataclass(slots=True)
class Seen:
    """What one turn over the wire was seen to do."""

    began: float
    first_word: float = 0.0
    answer_done: float = 0.0
    ended: float = 0.0
    spans: list[Span] = field(default_factory=list)
    calls: Sequence[Call] = ()

    def call(self, node: str) -> Call:
        """The first call of a node."""
        return next(call for call in self.calls if call.node == node)


@dataclass(frozen=True)
class _Space:
    name: str = "small"
    provider: str = "openai"
    model: str = "text-embedding-3-small"


class TimedProvider:
    """The provider, and adapters to it that stay open from turn to turn as a server's do."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        access = ClaudeAccess("a-key", ("claude-haiku-4-5",), ("claude-sonnet-4-5",), provider.url)
        self.claude = ClaudeModel(access)
        self.openai = OpenAIEmbedder(
            "text-embedding-3-small", OpenAIAccess("a-key", f"{provider.url}/v1", OpenAILimits(query=3.0))
        )

    async def turn(self, times: Times) -> Seen:
        """Run one turn at these times."""
        self._play(times)
        del self.provider.calls[:]
        seen = Seen(time.monotonic())
        request = TurnRequest(turn="turn", conversation="c", number=2, question=QUESTION, memory=_MEMORY)
        async for event in run_turn(request=request, clients=self._clients(times, seen)):
            if isinstance(event, events.AnswerDelta) and not seen.first_word:
                seen.first_word = time.monotonic()
            elif isinstance(event, events.AnswerDone):
                seen.answer_done = time.monotonic()
        seen.ended = time.monotonic()
        seen.calls = tuple(self.provider.calls)
        return seen

    def _play(self, times: Times) -> None:
        provider = self.provider
        text = REWRITTEN if times.rewritten else QUESTION
        told = {"standalone": text, "keywords": text, "texts": [{"text": text, "weight": 1.0}], "concepts": ["habit"]}
        provider.play("intent", lambda call: structured_reply(call, verdict(call, **told), before=times.intent))
        provider.play("answer", lambda call: _answer(call, times))
        provider.play("suggestions", lambda call: replace(suggestions_reply(call), before=times.suggestions))
        provider.play("embeddings", lambda call: replace(embeddings_reply(call), before=_embedding(call, times)))

    def _clients(self, times: Times, seen: Seen) -> Clients:
        plain = clients_taking(times)
        queries = QueryEmbedder(_space, lambda _space: self.openai, cache_size=0)
        return replace(
            plain,
            intent_model=self.claude,
            answer_model=self.claude,
            suggestion_model=self.claude,
            embed_query=queries.embed_query,
            search=_Recorded(plain.search, seen.spans),  # type: ignore[arg-type]
            graph=_Recorded(plain.graph, seen.spans),
        )


@asynccontextmanager
async def timed_provider() -> AsyncIterator[TimedProvider]:
    """The provider with warm adapters, closed at the end."""
    with Provider() as provider:
        timed = TimedProvider(provider)
        try:
            await timed.claude.warm()
            await timed.openai.warm()
            yield timed
        finally:
            await timed.claude.close()
            await timed.openai.close()


async def _space() -> SpaceLike:
    return _Space()


def _embedding(call: Call, times: Times) -> float:
    return times.second_embedding if REWRITTEN in call.body["input"] else times.embedding


def _answer(call: Call, times: Times) -> Reply:
    """The first word after its time, the others at theirs."""
    blocks = [Block([f"Piece {number}. "], [citation_of(call, 0)]) for number in range(PIECES)]
    wire = events_of(blocks)
    # All that comes before the first word comes with it, as from a model that has thought until then.
    steps: list[bytes | float] = [times.first_word, b"".join(wire[:4])]
    for event in wire[4:]:
        if b"content_block_start" in event or b"message_delta" in event:
            steps.append(times.piece)
        steps.append(event)
    return stream_reply(steps)


class _Recorded:
    """Passes calls on and writes down when they ran."""

    def __init__(self, inner: Any, spans: list[Span]) -> None:
        self._inner = inner
        self._spans = spans

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        async def call(*arguments: Any, **named: Any) -> Any:
            began = time.monotonic()
            try:
                return await found(*arguments, **named)
            finally:
                self._spans.append(Span(name, began, time.monotonic()))

        return call
