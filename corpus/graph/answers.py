"""Which store answers: Neo4j while it holds all that the record says and answers in time, else the record itself.

How far Neo4j has followed is read with every question, from the record: so nothing that an editor has changed,
published or withdrawn is answered from before, by a store or from memory. A Neo4j that fails, or takes longer than it
may, costs a question that time once; from then on the record answers at once, until the keeper has seen Neo4j answer
again.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress

from corpus.breaker import Breaker
from corpus.errors import CorpusError, GraphUnavailable
from corpus.graph.neighbourhoods import Neighbourhoods
from corpus.graph.neo4j_store import Neo4jGraph, Neo4jGraphStore
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.store import Edge, Found, GraphAnswer, GraphStore, PersonaHit, Standing

logger = logging.getLogger(__name__)

BUDGET_SECONDS = 0.4
"""What Neo4j may take of a question's time."""
CONNECT_SECONDS = 5.0
"""How long a new connection may take to come about: for the keeper, since a question has only its budget."""
KEEP_SECONDS = 30.0
"""Between two looks at a Neo4j that is well: connections stay open, and mostly its end is seen before a question is."""
WARM_SECONDS = 60.0


class GraphAnswers:
    """The Graph of one event loop. Without `neo4j` the record answers, and nothing is degraded by it."""

    def __init__(
        self, record: PostgresGraphStore, neo4j: Neo4jGraph | None = None, *, budget: float = BUDGET_SECONDS
    ) -> None:
        self._record = record
        self._neo4j = neo4j
        self.budget = budget
        self.breaker = Breaker(clock=time.monotonic)
        self._kept = Neighbourhoods()
        # No question is the first to ask: a server that has just started takes longer than a question has.
        self._warmed = False

    @property
    def origin(self) -> str:
        """Which store is asked first at the moment."""
        well = self._neo4j is not None and self._warmed and not self.breaker.is_open
        return "neo4j" if well else self._record.origin

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        """The best edges within two hops of the concepts. Raises SearchUnavailable."""
        asked = tuple(sorted(set(concepts)))
        return await self._answer(("edges", asked), lambda store: store.edges(asked))

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> GraphAnswer[PersonaHit]:
        """The best chunks mentioning a concept of both. Raises SearchUnavailable."""
        asked = tuple(sorted(set(concepts)))
        return await self._answer(("persona", asked, persona), lambda store: store.persona_chunks(asked, persona))

    async def _answer(self, key: Hashable, ask: Callable[[GraphStore], Awaitable[list[Found]]]) -> GraphAnswer[Found]:
        standing = await self._record.standing()
        if not standing.pending:
            kept: GraphAnswer[Found] | None = self._kept.get(standing, key)
            if kept is not None:
                return kept
            if (found := await self._ask_neo4j(standing, ask)) is not None:
                answer = GraphAnswer(tuple(found), "neo4j")
                self._kept.put(standing, key, answer)
                return answer
        degraded = self._neo4j is not None and self.breaker.is_open
        answer = GraphAnswer(tuple(await ask(self._record)), self._record.origin, degraded)
        if self._neo4j is None and not standing.pending:
            self._kept.put(standing, key, answer)
        return answer

    async def _ask_neo4j(
        self, standing: Standing, ask: Callable[[GraphStore], Awaitable[list[Found]]]
    ) -> list[Found] | None:
        """What Neo4j found, or None when it is not there to be asked or fails."""
        if self._neo4j is None or standing.generation is None or not self._warmed or self.breaker.is_open:
            return None
        try:
            async with asyncio.timeout(self.budget):
                found = await ask(self._at(self._neo4j, standing.generation, standing.version))
        except (GraphUnavailable, TimeoutError) as error:
            self._failed(error)
            return None
        self.breaker.succeeded()
        return found

    async def ping(self) -> None:
        """Return when Neo4j could answer now, or the record where there is no Neo4j. Raises GraphUnavailable."""
        if self._neo4j is None:
            await self._record.ping()
        elif self.breaker.is_open or (standing := await self._record.standing()).generation is None:
            raise GraphUnavailable
        else:
            async with asyncio.timeout(self.budget * 2):
                await self._at(self._neo4j, standing.generation, standing.version).ping()

    async def keep(self) -> None:
        """Keep Neo4j warm while it is well, and look for it while it is not; to be run beside, until cancelled."""
        while self._neo4j is not None:
            if self.breaker.admits():
                await self.look()
            await asyncio.sleep(min(KEEP_SECONDS, self.breaker.seconds_to_probe or KEEP_SECONDS))

    async def look(self) -> None:
        """Ask Neo4j what a question would ask, warming it first, and let the breaker know."""
        assert self._neo4j is not None
        try:
            standing = await self._record.standing()
        except CorpusError:
            return  # without the record nothing can be said about Neo4j
        if standing.generation is None:
            return
        try:
            async with asyncio.timeout(WARM_SECONDS):
                await self._neo4j.warm(generation=standing.generation, version=standing.version)
            async with asyncio.timeout(self.budget):
                await self._at(self._neo4j, standing.generation, standing.version).ping()
        except (GraphUnavailable, TimeoutError) as error:
            self._failed(error)
            return
        if self.breaker.is_open:
            logger.warning("Neo4j answers again")
        self._warmed = True
        self.breaker.succeeded()

    def _at(self, neo4j: Neo4jGraph, generation: int, version: int) -> Neo4jGraphStore:
        return neo4j.at(generation=generation, version=version, seconds=self.budget)

    def _failed(self, error: Exception) -> None:
        if not self.breaker.is_open:
            logger.warning("Neo4j fails, the record answers: %r", error.__cause__ or error)
        self.breaker.failed()

    async def close(self) -> None:
        """Close every connection to Neo4j."""
        if self._neo4j is not None:
            with suppress(GraphUnavailable):
                await self._neo4j.close()
