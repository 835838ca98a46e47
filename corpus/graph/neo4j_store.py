"""The graph store that asks Neo4j over Bolt: one driver an event loop, one statement and one record a question.

A question brings numbers and a persona's name, as parameters; no text of a member comes here. A record costs the
driver far more than a row costs the server, so all that was found comes as one collected list. Every statement begins
at the generation that is asked: where that is missing, or behind, nothing is answered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any, LiteralString

from neo4j import READ_ACCESS, AsyncDriver, AsyncGraphDatabase, Query
from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable, SessionExpired

from corpus.errors import GenerationLost, GraphUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.store import MAX_EDGES, MAX_PERSONA_CHUNKS, Edge, PersonaHit

POOL = 20
WARM = 4
"""Connections opened before the first question: as many as two questions use at once."""
LIFETIME_SECONDS = 180.0
"""After this a connection is replaced: load balancers cut what they think idle, the hastiest after four minutes."""
IDLE_SECONDS = 2.0
"""A connection idle for longer is asked whether it lives before it is used."""
PLAN_SECONDS = 15.0
"""How long the server may take over a statement it may never have seen: planning takes it far longer than answering."""
CLOSE_SECONDS = 2.0

_NOBODIES = (-2, -1)
_MANY = tuple(range(-11, 0))
_PERSONAS = ("-" * 36, "-" * 6)
"""The server has a plan for lists and texts of up to ten, and another for up to a hundred; longer ones nobody names."""

_EDGES = """
MATCH (g:Generation {number: $generation})
CALL (g) {
    UNWIND $concepts AS id
    MATCH (asked:Concept {generation: $generation, id: id})
    CALL (asked) {
        RETURN asked AS near, 0 AS away
        UNION
        MATCH (asked)-[:RELATES]-(near:Concept) RETURN DISTINCT near, 1 AS away
    }
    MATCH (near)-[r:RELATES]-()
    WITH r, min(away) AS away, count(DISTINCT asked) AS concepts
    WITH r, away, r.weight * concepts * CASE away WHEN 0 THEN 2 ELSE 1 END AS score
    ORDER BY score DESC, r.id LIMIT $limit
    RETURN collect([r.id, startNode(r).id, endNode(r).id, r.kind, 1 + away, score, r.proof]) AS found
}
RETURN g.version AS version, found
"""

_PERSONA_CHUNKS = """
MATCH (g:Generation {number: $generation})
CALL (g) {
    MATCH (p:Persona {generation: $generation}) WHERE p.id = $persona OR p.slug = $persona
    MATCH (p)-[:CARES_ABOUT]->(cared:Concept)
    WITH collect(DISTINCT cared.id) AS cared
    UNWIND $concepts AS id
    MATCH (:Concept {generation: $generation, id: id})<-[:MENTIONS]-(chunk:Chunk)
    WITH DISTINCT chunk, cared
    MATCH (chunk)-[m:MENTIONS]->(named:Concept) WHERE named.id IN $concepts OR named.id IN cared
    WITH chunk, sum(m.count) AS mentions, any(id IN collect(named.id) WHERE id IN cared) AS speaks, cared
    WHERE speaks
    WITH chunk, mentions ORDER BY mentions DESC, chunk.id LIMIT $limit
    RETURN collect([chunk.id, mentions]) AS found
}
RETURN g.version AS version, found
"""


@dataclass(slots=True)
class Neo4jGraphStore:
    """A GraphStore of one generation that must have reached a version. Every method raises GraphUnavailable."""

    neo4j: "Neo4jGraph"
    generation: int
    version: int
    seconds: float
    origin: str = "neo4j"

    async def edges(self, concepts: Sequence[int]) -> list[Edge]:
        """The best MAX_EDGES edges within two hops of the concepts, by score, ties by id."""
        if not concepts:
            return []
        values = {"concepts": _numbers(concepts), "limit": MAX_EDGES}
        return [Edge(*found) for found in await self._found(_EDGES, values)]

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> list[PersonaHit]:
        """The best MAX_PERSONA_CHUNKS chunks mentioning a concept of both, by mentions, ties by id."""
        if not concepts or not persona:
            return []
        values = {"concepts": _numbers(concepts), "persona": persona, "limit": MAX_PERSONA_CHUNKS}
        return [PersonaHit(*found) for found in await self._found(_PERSONA_CHUNKS, values)]

    async def ping(self) -> None:
        """Return when it could answer now: both statements, with concepts that are not there."""
        await self.ask_nothing(_NOBODIES, _PERSONAS[0])

    async def ask_nothing(self, concepts: Sequence[int], persona: str) -> None:
        """Ask what a question asks, both statements at once, and want no answer."""
        await gather_all(self.edges(concepts), self.persona_chunks(concepts, persona))

    async def _found(self, statement: LiteralString, values: dict[str, Any]) -> list[Any]:
        values["generation"] = self.generation
        record = await self.neo4j.record(statement, values, seconds=self.seconds)
        if record is None or record["version"] < self.version:
            raise GenerationLost
        return list(record["found"])


class Neo4jGraph:
    """The driver of one event loop, with its pool."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver

    @classmethod
    def connect(cls, address: GraphAddress, *, seconds: float) -> "Neo4jGraph":
        """A driver that has opened nothing yet; `seconds` is how long a connection may take to come about."""
        return cls(
            AsyncGraphDatabase.driver(
                address.uri,
                auth=(address.user, address.password),
                max_connection_pool_size=POOL,
                connection_timeout=seconds,
                connection_acquisition_timeout=seconds,
                max_connection_lifetime=LIFETIME_SECONDS,
                liveness_check_timeout=IDLE_SECONDS,
                keep_alive=True,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="secondact",
            )
        )

    def at(self, *, generation: int, version: int, seconds: float) -> Neo4jGraphStore:
        """The store of one generation, whose statements the server gives up after so many seconds.

        It looks only now and then, so callers keep a limit of their own.
        """
        return Neo4jGraphStore(self, generation, version, seconds)

    async def warm(self, *, generation: int, version: int) -> None:
        """Have the first connections stand, and the server know both statements. Raises GraphUnavailable."""
        store = self.at(generation=generation, version=version, seconds=PLAN_SECONDS)
        for concepts, persona in product((_NOBODIES, _MANY), _PERSONAS):
            await store.ask_nothing(concepts, persona)
        await gather_all(*(store.ping() for _ in range(WARM // 2)))

    async def server(self) -> str:
        """The server and its version, `Neo4j/5.26.30`. Raises GraphUnavailable."""
        return str((await _translated(self._driver.get_server_info)).agent)

    async def record(self, statement: LiteralString, values: dict[str, Any], *, seconds: float) -> Any:
        """The one record of a read, or None. Raises GraphUnavailable.

        A connection that was cut while it was idle says so only when it is used: then it is asked once more.
        """
        try:
            return await _translated(lambda: self._ask(statement, values, seconds))
        except GraphUnavailable as error:
            if not isinstance(error.__cause__, (ServiceUnavailable, SessionExpired)):
                raise
        return await _translated(lambda: self._ask(statement, values, seconds))

    async def _ask(self, statement: LiteralString, values: dict[str, Any], seconds: float) -> Any:
        async with self._driver.session(default_access_mode=READ_ACCESS) as session:
            result = await session.run(Query(statement, timeout=seconds), values)
            return await result.single()

    async def close(self) -> None:
        """Close every connection; a server that no longer listens is not waited for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._driver.close()


def _numbers(concepts: Sequence[int]) -> list[int]:
    """Each once, and two that are nobody's: for one alone the server would keep another plan than for two to ten."""
    return sorted({*_NOBODIES, *concepts})


async def gather_all(*calls: Coroutine[Any, Any, object]) -> None:
    """Run all at once; the first error itself, once the others are cancelled."""
    try:
        async with asyncio.TaskGroup() as group:
            for call in calls:
                group.create_task(call)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed


async def _translated(ask: Callable[[], Awaitable[Any]]) -> Any:
    """What is asked, with the driver's errors as ours, the cause kept."""
    try:
        return await ask()
    except (DriverError, Neo4jError, OSError) as error:
        raise GraphUnavailable from error
