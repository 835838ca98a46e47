"""Retrieval: both phases in both channels, the graph look-up and the query's embedding, all at once.

What runs is here; what is chosen from it is in phases.py and graph_lookup.py.
"""

import asyncio
from collections.abc import Awaitable, Mapping

from corpus.embeddings import QueryVector
from corpus.errors import CorpusError, NoActiveSpace
from corpus.fusion import Candidate
from corpus.graph.store import Graph
from corpus.search import Leg, PublishedChunk, Search, VectorHits
from pipeline import phases
from pipeline.graph_lookup import graph_results, look_up_graph
from pipeline.intents import INTENT_TABLE, strategy_of
from pipeline.phases import Legs, PhaseFound
from pipeline.stopwatch import Stopwatch
from pipeline.turn import Intent, MemberContext, RagResult, Retrieval

EMBEDDING_SECONDS = 3.0
"""How long the vector channel waits for the question's vector."""


async def retrieve(
    *, intent: Intent, embedding: Awaitable[QueryVector], member: MemberContext, search: Search, graph: Graph
) -> Retrieval:
    """The two sets of results for a question. Raises SearchUnavailable.

    What needs no retrieval gets two empty sets without a query. Without an embedding the keyword channel and the graph
    answer; without a graph the channels do, without Neo4j the record in its place. Each is said in `degraded`.
    """
    if not intent.needs_retrieval:
        return Retrieval()
    watch = Stopwatch()
    plan = phases.plan_of(INTENT_TABLE[strategy_of(intent.kind, intent.confidence)])
    try:
        async with asyncio.TaskGroup() as group:
            query = group.create_task(watch.time("embedding", _vector_of(embedding)))
            channels = _Channels(search, query, intent.search.keywords or intent.standalone, watch)
            vector_1 = group.create_task(channels.vector("vector_1", plan.phase_1))
            keyword_1 = group.create_task(channels.keyword("keyword_1", plan.phase_1))
            vector_2 = group.create_task(channels.vector("vector_2", plan.phase_2))
            keyword_2 = group.create_task(channels.keyword("keyword_2", plan.phase_2))
            look_up = look_up_graph(intent=intent, member=member, search=search, graph=graph, watch=watch)
            linked = group.create_task(look_up)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed  # callers handle the error itself, not that it came out of a group
    found_1 = PhaseFound(vector_1.result(), keyword_1.result())
    found_2 = PhaseFound(vector_2.result(), keyword_2.result())
    wanted = found_1.likely | found_2.likely | linked.result().chunks
    published = await watch.time("read", search.read(sorted(wanted)))
    phase_1, phase_2 = phases.fill_phases(plan, found_1, found_2, published)
    others = (found_1.chunks | found_2.chunks) - wanted
    if others and not phases.settled(plan, phase_1, phase_2):
        published |= await watch.time("read_others", search.read(sorted(others)))
        phase_1, phase_2 = phases.fill_phases(plan, found_1, found_2, published)
    results = await _with_broad_match(phase_1, phase_2, published, channels)
    taken = {result.chunk for result in results}
    return Retrieval(
        rag_results=results,
        graph_results=graph_results(linked.result(), published, taken=taken),
        covered=phases.covered(results, channels.coverage) if query.result() else bool(results),
        space=channels.space,
        nearest="" if results else await channels.nearest_title(),
        degraded=(*channels.degraded, *(["graph"] if linked.result().degraded else [])),
        timings=watch.milliseconds,
    )


async def _with_broad_match(
    first: list[Candidate], second: list[Candidate], published: Mapping[int, PublishedChunk], channels: "_Channels"
) -> tuple[RagResult, ...]:
    """What both phases chose as results; where that is too little, the best of it with what broad_match adds."""
    results = phases.results_of_both(first, second, published)
    if not phases.is_thin(results, coverage=channels.coverage, floor=channels.floor):
        return results
    first, second = phases.keep_best(first, second)
    added = await channels.broad_match([*first, *second])
    return (*phases.results_of_both(first, second, published), *added)


async def _vector_of(embedding: Awaitable[QueryVector]) -> QueryVector | None:
    """The question's vector, or None when there is none to be had in time."""
    try:
        async with asyncio.timeout(EMBEDDING_SECONDS):
            return await embedding
    except (CorpusError, TimeoutError):
        return None


class _Channels:
    """The two channels for one question. The keyword channel does not wait for the question's vector."""

    def __init__(
        self, search: Search, query: asyncio.Task[QueryVector | None], keywords: str, watch: Stopwatch
    ) -> None:
        self._search = search
        self._query = query
        self._keywords = keywords
        self._watch = watch
        self._space_gone = False
        self.coverage: float | None = None
        self.floor: float | None = None

    @property
    def space(self) -> str:
        """The space the question was embedded in."""
        query = self._query.result()
        return query.space if query else ""

    @property
    def degraded(self) -> tuple[str, ...]:
        """Whether the vector channel is missing."""
        return ("embedding",) if self._space_gone or self._query.result() is None else ()

    async def vector(self, name: str, legs: tuple[Leg, ...]) -> VectorHits:
        """What the vector channel finds; nothing without a vector."""
        nothing = VectorHits(tuple(() for _ in legs))
        query = await self._query
        if query is None or not legs:
            return nothing
        try:
            hits = await self._watch.time(name, self._search.vector(query, legs))
        except NoActiveSpace:
            # Dropped while the question was embedded.
            self._space_gone = True
            return nothing
        self.coverage = hits.coverage if hits.coverage is not None else self.coverage
        self.floor = hits.floor if hits.floor is not None else self.floor
        return hits

    async def keyword(self, name: str, legs: tuple[Leg, ...]) -> Legs:
        """What the keyword channel finds."""
        return await self._watch.time(name, self._search.keyword(self._keywords, legs)) if legs else ()

    async def broad_match(self, chosen: list[Candidate]) -> tuple[RagResult, ...]:
        """What one unfiltered search adds to the few that were chosen."""
        return await self._watch.time("broad_match", self._broad_match(chosen))

    async def _broad_match(self, chosen: list[Candidate]) -> tuple[RagResult, ...]:
        legs = (phases.EVERYTHING,)
        found = PhaseFound(await self.vector("vector_broad", legs), await self.keyword("keyword_broad", legs))
        published = await self._search.read(sorted(found.chunks))
        return phases.results_of(phases.fill_broad_match(found, published, chosen), published, "broad_match")

    async def nearest_title(self) -> str:
        """The title of the nearest document, as far as there is a vector to tell."""
        query = self._query.result()
        return await self._search.nearest_title(query) if query and not self._space_gone else ""
