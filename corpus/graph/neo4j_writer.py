"""Neo4j as the graph store that the projection writes to: the official driver, one for each piece of work.

(:Generation {number, version}), (:Concept), (:Persona), (:Chunk) with the generation and their id, [:RELATES] with
both of them too, [:CARES_ABOUT], [:MENTIONS]. Community has one database, so the generation is part of every key.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from neo4j import Driver, GraphDatabase, ManagedTransaction, Query, unit_of_work
from neo4j.exceptions import DriverError, Neo4jError

from corpus.errors import GenerationLost, GraphUnavailable
from corpus.graph.address import GraphAddress

WRITE_SECONDS = 60.0
"""How long one write may take in the server; the database's transaction around it waits as long."""
CONNECT_SECONDS = 5.0

_SCHEMA = (
    "CREATE CONSTRAINT generation_number IF NOT EXISTS FOR (n:Generation) REQUIRE n.number IS UNIQUE",
    "CREATE CONSTRAINT concept_key IF NOT EXISTS FOR (n:Concept) REQUIRE (n.generation, n.id) IS UNIQUE",
    "CREATE CONSTRAINT persona_key IF NOT EXISTS FOR (n:Persona) REQUIRE (n.generation, n.id) IS UNIQUE",
    "CREATE CONSTRAINT chunk_key IF NOT EXISTS FOR (n:Chunk) REQUIRE (n.generation, n.id) IS UNIQUE",
    "CREATE CONSTRAINT relates_key IF NOT EXISTS FOR ()-[r:RELATES]-() REQUIRE (r.generation, r.id) IS UNIQUE",
)
_INDEXES_AWAIT = "CALL db.awaitIndexes(60)"

# Setting comes first: it takes the node's lock, behind which alone the version can be believed.
_FENCE = """
MATCH (g:Generation {number: $generation}) SET g.writing = $version
WITH g WHERE g.version <= $version
SET g.version = $version RETURN count(g) AS ours
"""

_WRITES = {
    "concept": (
        "UNWIND $gone AS id MATCH (n:Concept {generation: $generation, id: id}) DETACH DELETE n",
        "UNWIND $rows AS row MERGE (n:Concept {generation: $generation, id: row.id})"
        " SET n.name = row.name, n.aliases = row.aliases",
    ),
    "relationship": (
        "UNWIND $keys AS id MATCH ()-[r:RELATES {generation: $generation, id: id}]->() DELETE r",
        "UNWIND $rows AS row MATCH (s:Concept {generation: $generation, id: row.source})"
        " MATCH (t:Concept {generation: $generation, id: row.target})"
        " CREATE (s)-[r:RELATES {generation: $generation, id: row.id, kind: row.kind, weight: row.weight}]->(t)"
        " SET r.proof = row.proof",
    ),
    "persona": (
        "UNWIND $gone AS id MATCH (n:Persona {generation: $generation, id: id}) DETACH DELETE n",
        "UNWIND $keys AS id MATCH (:Persona {generation: $generation, id: id})-[r:CARES_ABOUT]->() DELETE r",
        "UNWIND $rows AS row MERGE (n:Persona {generation: $generation, id: row.id}) SET n.slug = row.slug"
        " WITH n, row UNWIND row.concepts AS concept MATCH (c:Concept {generation: $generation, id: concept})"
        " CREATE (n)-[:CARES_ABOUT]->(c)",
    ),
    "chunk": (
        "UNWIND $gone AS id MATCH (n:Chunk {generation: $generation, id: id}) DETACH DELETE n",
        "UNWIND $keys AS id MATCH (:Chunk {generation: $generation, id: id})-[r:MENTIONS]->() DELETE r",
        "UNWIND $rows AS row MERGE (n:Chunk {generation: $generation, id: row.id})"
        " WITH n, row UNWIND row.mentions AS mention"
        " MATCH (c:Concept {generation: $generation, id: mention[0]}) CREATE (n)-[:MENTIONS {count: mention[1]}]->(c)",
    ),
}

# Bounds stand in a statement only where there are some: so each form reads a range of the index.
_ALL, _AFTER, _UNTIL = "n.generation = $generation AND n.id IS NOT NULL", " AND n.id > $after", " AND n.id <= $until"
_READS = {
    "concept": (
        "MATCH (n:Concept) WHERE ",
        " RETURN collect({id: n.id, name: n.name, aliases: n.aliases}) AS rows",
    ),
    "relationship": (
        "MATCH (s)-[n:RELATES]->(t) WHERE ",
        " RETURN collect({id: n.id, source: s.id, target: t.id, kind: n.kind, weight: n.weight, proof: n.proof})"
        " AS rows",
    ),
    "persona": (
        "MATCH (n:Persona) WHERE ",
        " OPTIONAL MATCH (n)-[:CARES_ABOUT]->(c) WITH n, c ORDER BY c.id WITH n, collect(c.id) AS concepts"
        " RETURN collect({id: n.id, slug: n.slug, concepts: concepts}) AS rows",
    ),
    "chunk": (
        "MATCH (n:Chunk) WHERE ",
        " OPTIONAL MATCH (n)-[m:MENTIONS]->(c) WITH n, m, c ORDER BY c.id WITH n, collect([c.id, m.count]) AS mentions"
        " RETURN collect({id: n.id, mentions: mentions}) AS rows",
    ),
}
_REMOVALS = tuple(
    f"MATCH (n:{label}) WHERE n.generation = $generation AND n.id IS NOT NULL"
    " CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS"
    for label in ("Chunk", "Persona", "Concept")
)


class Neo4jWriter:
    """The GraphWriter of a Neo4j server."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def server(self) -> str:
        """The server and its version, `Neo4j/5.26.30`. Raises GraphUnavailable."""
        with _translated():
            return str(self._driver.get_server_info().agent)

    def begin(self, *, generation: int, version: int) -> None:
        """Make an empty generation, and the constraints whose indexes every statement here goes by."""
        with _translated():
            for statement in (*_SCHEMA, _INDEXES_AWAIT):
                self._run_again(statement)
            self._run_again(
                "CREATE (:Generation {number: $generation, version: $version})", generation=generation, version=version
            )

    def write(
        self, *, generation: int, version: int, kind: str, keys: Collection[Any], rows: dict[Any, dict[str, Any]]
    ) -> None:
        """Make these keys what `rows` says. Raises GenerationLost, GraphUnavailable."""
        values = {
            "generation": generation,
            "keys": list(keys),
            "gone": [key for key in keys if key not in rows],
            "rows": list(rows.values()),
        }

        @unit_of_work(timeout=WRITE_SECONDS)
        def work(transaction: ManagedTransaction) -> None:
            fence = transaction.run(_FENCE, generation=generation, version=version).single(strict=True)
            if not fence["ours"]:
                raise GenerationLost
            for statement in _WRITES[kind]:
                transaction.run(statement, values).consume()

        with _translated(), self._driver.session() as session:
            session.execute_write(work)

    def rows_between(self, *, generation: int, kind: str, after: Any, until: Any) -> dict[Any, dict[str, Any]]:
        """The rows with `after` < key <= `until`. Raises GraphUnavailable."""
        start, end = _READS[kind]
        bounds = ("" if after is None else _AFTER) + ("" if until is None else _UNTIL)
        with _translated():
            records = self._run(start + _ALL + bounds + end, generation=generation, after=after, until=until)
        return {row["id"]: row for row in records[0]["rows"]}

    def remove(self, generation: int) -> None:
        """Remove all of a generation. Raises GraphUnavailable."""
        with _translated():
            for statement in _REMOVALS:
                self._run(statement, generation=generation)
            self._run("MATCH (g:Generation {number: $generation}) DELETE g", generation=generation)

    def _run_again(self, statement: str, **values: Any) -> None:
        """Run one statement in a transaction that the driver tries again where it ran into another one."""

        @unit_of_work(timeout=WRITE_SECONDS)
        def work(transaction: ManagedTransaction) -> None:
            transaction.run(statement, values).consume()

        with self._driver.session() as session:
            session.execute_write(work)

    def _run(self, statement: Any, **values: Any) -> list[Any]:
        with self._driver.session() as session:
            return list(session.run(Query(statement, timeout=WRITE_SECONDS), values))


@contextmanager
def neo4j_writer(address: GraphAddress) -> Iterator[Neo4jWriter]:
    """A writer for one piece of work. Its methods raise GraphUnavailable when the server is not there."""
    driver = GraphDatabase.driver(
        address.uri,
        auth=(address.user, address.password),
        connection_timeout=CONNECT_SECONDS,
        connection_acquisition_timeout=CONNECT_SECONDS * 2,
        max_transaction_retry_time=CONNECT_SECONDS,
        max_connection_pool_size=2,
        notifications_min_severity="OFF",
        telemetry_disabled=True,
        user_agent="secondact",
    )
    with driver:
        yield Neo4jWriter(driver)


@contextmanager
def _translated() -> Iterator[None]:
    """The driver's errors as ours, the cause kept."""
    try:
        yield
    except (DriverError, Neo4jError, OSError) as error:
        raise GraphUnavailable from error
