"""One turn from question to answer: the seven nodes, called from top to bottom. Read this file first.

`run_turn` is the path, and turns the nodes' values into events. What can run side by side does: the embedding of the
question beside the intent call, the suggestions beside the answer. Both are tasks of the turn, cancelled and awaited
however it ends, so that nothing is yielded inside a task group. An ending is stored before its event goes out:
`journey_node` stores answers; a turn that was asked back, stopped or failed is ended by whoever runs it.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from corpus.embeddings import QueryVector
from corpus.graph.store import Graph
from corpus.search import Search
from pipeline import events
from pipeline.clarification_gate import pass_gate
from pipeline.context_node import build_context
from pipeline.errors import EmptyAnswer
from pipeline.intent_node import find_intent
from pipeline.journey_node import finish_journey
from pipeline.llm.model import LanguageModel
from pipeline.record import JourneyView, TurnRecord
from pipeline.response_node import respond
from pipeline.retrieval_node import retrieve
from pipeline.suggestions_node import suggest
from pipeline.turn import Intent, StopReason, Suggestions, TurnRequest
from pipeline.turn_state import TurnState, source_body

LABELS = {
    "intent": "Understanding your question",
    "gate": "Checking that it can be answered as it stands",
    "retrieval": "Searching the library",
    "context": "Reading what was found",
    "response": "Writing the answer",
    "suggestions": "Looking for what to ask next",
    "journey": "Keeping the answer",
}

_T = TypeVar("_T")

WeightedTexts = Sequence[tuple[str, float]]
EmbedQuery = Callable[[WeightedTexts], Awaitable[QueryVector]]
"""The vector of weighted texts in the active space. Raises EmbedderUnavailable."""
Probe = Callable[[Sequence[str]], Awaitable[Sequence[float]]]
"""For each text the similarity of the nearest published chunk, 0 where it lies under the space's floor."""
Finish = Callable[[TurnRecord], Awaitable[JourneyView | None]]
"""Stores an ending; None when the turn is no longer this run's."""
HelpLineOf = Callable[[str], Awaitable[str]]
"""The approved text with the help lines of a country."""


@dataclass(frozen=True, slots=True)
class Clients:
    """All that the nodes talk to; made once per event loop."""

    intent_model: LanguageModel
    answer_model: LanguageModel
    suggestion_model: LanguageModel
    local: LanguageModel
    embed_query: EmbedQuery
    search: Search
    graph: Graph
    finish: Finish
    probe: Probe
    help_line: HelpLineOf


async def run_turn(
    *, request: TurnRequest, clients: Clients, state: TurnState | None = None
) -> AsyncGenerator[events.Event, None]:
    """The events of a turn, from the first status to `turn.done`; without `turn.started`.

    What it comes to is kept in `state`, for whoever has to end a turn that no node has ended.

    It ends silently after `clarification.asked`, and where the turn turns out to be no longer this run's. Raises what
    no node can make good: StreamBroken, EmptyAnswer, SearchUnavailable. Closing or cancelling it ends all it started.
    """
    turn = _Turn(request, clients, state or TurnState(request))
    try:
        yield _status("intent")
        yield await turn.find_intent()
        if not turn.intent.care:
            yield _status("gate")
            clarification = turn.pass_gate()
            if clarification is not None:
                yield clarification
                return
            yield _status("retrieval")
            await turn.retrieve()
            yield _status("context")
            yield turn.build_context()
        yield _status("response")
        turn.start_suggestions()
        async with aclosing(turn.respond()) as answer:
            async for event in answer:
                yield event
        if not turn.intent.care:
            yield _status("suggestions")
            yield await turn.suggest()
        yield _status("journey")
        for ending in await turn.finish_journey():
            yield ending
    finally:
        await turn.close()


class _Turn:
    """The nodes' calls of one turn in the order of the path, each timed, with the tasks that run beside them."""

    def __init__(self, request: TurnRequest, clients: Clients, state: TurnState) -> None:
        self.state = state
        self._request = request
        self._clients = clients
        self._tasks: list[asyncio.Task[Any]] = []
        self._embedding: asyncio.Task[QueryVector]
        self._suggestions: asyncio.Task[Suggestions]

    @property
    def intent(self) -> Intent:
        assert self.state.intent is not None
        return self.state.intent

    async def find_intent(self) -> events.IntentFound:
        request, clients = self._request, self._clients
        self._embedding = self._start(self._embed(_plain(request.question)))
        with self.state.timed("intent"):
            intent = await find_intent(request=request, model=clients.intent_model, local=clients.local)
        self.state.intent = intent
        if intent.care:
            # Nothing was awaited where the rules alone found the danger: the question has not gone to the embedder.
            self._embedding.cancel()
        return events.IntentFound(intent.kind, intent.confidence, intent.clarity, intent.standalone, intent.care)

    def pass_gate(self) -> events.ClarificationAsked | None:
        with self.state.timed("gate"):
            asked = pass_gate(request=self._request, intent=self.intent)
        return events.ClarificationAsked(asked.question, asked.options) if asked else None

    async def retrieve(self) -> None:
        texts = tuple((text.text, text.weight) for text in self.intent.search.texts)
        if texts != _plain(self._request.question):
            self._embedding.cancel()
            self._embedding = self._start(self._embed(texts))
        with self.state.timed("retrieval"):
            self.state.retrieval = await retrieve(
                intent=self.intent,
                embedding=self._embedding,
                member=self._request.member,
                search=self._clients.search,
                graph=self._clients.graph,
            )

    def build_context(self) -> events.SourcesFound:
        with self.state.timed("context"):
            self.state.context = build_context(retrieval=self.state.retrieval)
        return events.SourcesFound(tuple(source_body(source) for source in self.state.context.sources))

    def start_suggestions(self) -> None:
        if not self.intent.care:
            self._suggestions = self._start(self._suggest())

    async def respond(self) -> AsyncGenerator[events.Event, None]:
        parts = respond(
            request=self._request,
            intent=self.intent,
            context=self.state.context,
            model=self._clients.answer_model,
            local=self._clients.local,
            help_line=self._clients.help_line,
        )
        with self.state.timed("response"):
            async with aclosing(parts):
                async for part in parts:
                    yield self.state.take(part)
        if self.state.end is None or self.state.end.stop_reason is StopReason.EMPTY:
            raise EmptyAnswer

    async def suggest(self) -> events.SuggestionsReady:
        self.state.suggestions = await self._suggestions
        return events.SuggestionsReady(self.state.suggestion_bodies())

    async def finish_journey(self) -> tuple[events.Event, ...]:
        """The last events, once the ending is stored; none when the turn is no longer this run's."""
        state = self.state
        record = state.record()
        with state.timed("journey"):
            view = await finish_journey(record=record, finish=self._clients.finish)
        if view is None:
            return ()
        updated = events.JourneyUpdated(view.stage, view.proposed_stage, view.reason)
        done = events.TurnDone(record.status, state.timings, record.usage, record.degraded, record.care)
        return (updated, done)

    async def close(self) -> None:
        """Cancel what still runs beside the path, and wait until it is over."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _embed(self, texts: WeightedTexts) -> QueryVector:
        return await self._clients.embed_query(texts)

    async def _suggest(self) -> Suggestions:
        with self.state.timed("suggestions"):
            return await suggest(
                request=self._request,
                intent=self.intent,
                retrieval=self.state.retrieval,
                context=self.state.context,
                model=self._clients.suggestion_model,
                local=self._clients.local,
                probe=self._clients.probe,
            )

    def _start(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.create_task(work)
        self._tasks.append(task)
        return task


def _plain(question: str) -> WeightedTexts:
    return ((question, 1.0),)


def _status(node: str) -> events.Status:
    return events.Status(node, LABELS[node])
