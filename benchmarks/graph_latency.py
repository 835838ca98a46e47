# ruff: noqa: E402  (models can be imported only once Django is set up)
"""How long the graph look-up takes on both stores: `python -m benchmarks.graph_latency [--json --concepts N ... ]`.

Builds a graph in a database of its own beside the one that DATABASE_URL or `make run` provides, and in the Neo4j that
NEO4J_URI or `manage.py up --with neo4j` provides; both are removed afterwards. A look-up is what a question costs:
edges and persona chunks at once. Cold: the first questions over a new pool and, in Neo4j, statements it has not
planned. Exits with 1 when a warm look-up at 10,000 concepts takes more than 25 ms at the 95th percentile.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import quantiles

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
django.setup()

from django.db import connection

from benchmarks.graphs import Question, graph_make, questions_make
from corpus import wiring
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import Neo4jWriter
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.rebuilding import graph_rebuild
from corpus.graph.store import GraphStore
from corpus.models import GraphGeneration
from corpus.pool import RetrievalPool

LIMIT_MS = 25.0
COLD = 20
"""Questions that count as cold."""
RELATIONSHIPS_PER_CONCEPT = 6


@dataclass(frozen=True)
class Row:
    """One store at one size, in milliseconds."""

    store: str
    concepts: int
    relationships: int
    first: float
    cold_p50: float
    cold_p95: float
    warm_p50: float
    warm_p95: float


async def look_up(store: GraphStore, question: Question) -> float:
    """Milliseconds for both halves of one look-up."""
    began = time.perf_counter()
    await asyncio.gather(store.edges(question.concepts), store.persona_chunks(question.concepts, question.persona))
    return (time.perf_counter() - began) * 1000


async def measured(store: GraphStore, questions: Sequence[Question], repeats: int) -> tuple[list[float], list[float]]:
    """Cold and warm milliseconds: the first questions, and all of them again."""
    cold = [await look_up(store, question) for question in questions[:COLD]]
    warm = [await look_up(store, question) for _ in range(repeats) for question in questions]
    return cold, warm


def row(store: str, size: int, times: tuple[list[float], list[float]]) -> Row:
    """The figures of one store at one size."""
    cold, warm = (quantiles(values, n=100) for values in times)
    return Row(store, size, size * RELATIONSHIPS_PER_CONCEPT, times[0][0], cold[49], cold[94], warm[49], warm[94])


async def both(size: int, questions: Sequence[Question], repeats: int, generation: int) -> list[Row]:
    """Both stores at one size."""
    pool = await RetrievalPool.open()
    address = wiring.graph_address()
    assert address is not None
    neo4j = Neo4jGraph.connect(address, seconds=30)
    try:
        record = await measured(PostgresGraphStore(pool), questions, repeats)
        store = neo4j.at(generation=generation, version=0, seconds=60)
        return [
            row("postgres", size, record),
            row(await neo4j.server(), size, await measured(store, questions, repeats)),
        ]
    finally:
        await neo4j.close()
        await pool.close()


def at_size(size: int, writer: Neo4jWriter, *, questions: int, repeats: int) -> list[Row]:
    """Build a graph of a size, measure, and remove it from Neo4j."""
    ids = graph_make(concepts=size, relationships=size * RELATIONSHIPS_PER_CONCEPT)
    connection.cursor().execute("ANALYZE")
    graph_rebuild(writer, say=lambda sentence: None)
    generation = GraphGeneration.objects.get(state=GraphGeneration.State.CURRENT).pk
    try:
        return asyncio.run(both(size, questions_make(ids, count=questions), repeats, generation))
    finally:
        writer.remove(generation)


def in_own_database(work: Callable[[], list[Row]]) -> list[Row]:
    """Run it on an empty database beside the configured one, and drop that."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        connection.cursor().execute("ALTER TABLE corpus_relationship DROP CONSTRAINT relationship_between_two")
        return work()
    finally:
        connection.creation.destroy_test_db("", verbosity=0)


def main() -> None:
    """Measure, print, and say by the exit code whether it is quick enough."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--concepts", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    opened = wiring.graph_writer()
    if opened is None:
        sys.exit("There is no Neo4j: set NEO4J_URI, or start manage.py up --with neo4j.")
    rows: list[Row] = []
    with opened as writer:
        for size in options.concepts:
            rows += in_own_database(
                lambda size=size: at_size(size, writer, questions=options.questions, repeats=options.repeats)  # type: ignore[misc]
            )
    if options.json:
        print(json.dumps([asdict(one) for one in rows], indent=2))
    else:
        print(f"{'store':16} {'concepts':>8}  first ms   cold p50/p95   warm p50/p95")
        for one in rows:
            print(
                f"{one.store:16} {one.concepts:8,}  {one.first:8.1f}  {one.cold_p50:6.1f} /{one.cold_p95:6.1f}"
                f"  {one.warm_p50:6.1f} /{one.warm_p95:6.1f}"
            )
    slow = [one.store for one in rows if one.concepts == 10_000 and one.warm_p95 > LIMIT_MS]
    sys.exit(f"Over {LIMIT_MS:g} ms: {', '.join(slow)}." if slow else 0)


if __name__ == "__main__":
    main()
