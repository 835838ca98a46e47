"""The contract of a GraphStore on both stores: the same graph and question, the same answer in the same order."""

from asyncio import run
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.graphs import Question, graph_make, questions_make
from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import Neo4jWriter
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.projection import project_all
from corpus.graph.ranking import choose_persona_chunks, choose_relationships
from corpus.graph.rebuilding import graph_rebuild
from corpus.graph.store import Edge, GraphStore, PersonaHit
from corpus.models import Chunk, Concept, GraphGeneration, Relationship, RelationshipKind
from tests.corpus.conftest import OwnConnectionPool
from tests.neo4j_server import neo4j_told


@dataclass(frozen=True)
class Answer:
    """What a store finds."""

    edges: list[Edge]
    chunks: list[PersonaHit]


@pytest.fixture
def self_loops(db: None) -> None:
    """The record refuses a relationship of a concept with itself; the stores must do without that."""
    connection.cursor().execute("ALTER TABLE corpus_relationship DROP CONSTRAINT relationship_between_two")


@pytest.fixture
def stores(search_pool: OwnConnectionPool, neo4j: GraphAddress, writer: Neo4jWriter) -> "Stores":
    graph_rebuild(writer)
    return Stores(search_pool, neo4j)


class Stores:
    """Asks both."""

    def __init__(self, pool: OwnConnectionPool, neo4j: GraphAddress) -> None:
        self._postgres = PostgresGraphStore(pool)
        self._neo4j = neo4j

    def answers(self, questions: Sequence[Question]) -> tuple[list[Answer], list[Answer], str]:
        """What Postgres and Neo4j answer, and the server that Neo4j says it is."""
        generation = GraphGeneration.objects.get(state=GraphGeneration.State.CURRENT).pk

        async def both() -> tuple[list[Answer], list[Answer], str]:
            graph = Neo4jGraph.connect(self._neo4j, seconds=60)
            neo4j = graph.at(generation=generation, version=0, seconds=60)
            found: tuple[list[Answer], list[Answer]] = ([], [])
            try:
                asked: tuple[GraphStore, GraphStore] = (self._postgres, neo4j)
                for question in questions:
                    for store, answers in zip(asked, found, strict=True):
                        edges = await store.edges(question.concepts)
                        answers.append(Answer(edges, await store.persona_chunks(question.concepts, question.persona)))
                return *found, await graph.server()
            finally:
                await graph.close()

        return run(both())


@pytest.mark.parametrize(
    ("concepts", "relationships", "questions"),
    [
        pytest.param(300, 1_800, 30, id="sample"),
        pytest.param(10_000, 60_000, 200, id="whole", marks=pytest.mark.slow),
    ],
)
def test_both_stores_give_the_same_answers_in_the_same_order(
    self_loops: None,
    request: pytest.FixtureRequest,
    concepts: int,
    relationships: int,
    questions: int,
) -> None:
    ids = graph_make(concepts=concepts, relationships=relationships)
    stores: Stores = request.getfixturevalue("stores")
    asked = questions_make(ids, count=questions)
    postgres, neo4j, server = stores.answers(asked)
    assert neo4j == postgres
    published = set(Chunk.objects.filter(document__status="published").values_list("pk", flat=True))
    shown = [choose_relationships(answer.edges, published) for answer in postgres]
    assert [choose_relationships(answer.edges, published) for answer in neo4j] == shown
    chunks = [choose_persona_chunks(answer.chunks, published, ()) for answer in postgres]
    assert sum(len(edges) == 12 for edges in shown) > questions / 2
    assert sum(bool(found) for found in chunks) > questions / 10
    assert all(hit.chunk in published for answer in neo4j for hit in answer.chunks)
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        record = f"PostgreSQL {cursor.fetchone()[0].split()[0]}"
    neo4j_told(
        f"Graph contract: {server} and {record} answer {len(asked)} questions"
        f" on {concepts:,} concepts and {relationships:,} relationships alike."
    )


LINKS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 10)), max_size=12, unique_by=lambda link: link[:2]
)


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(links=LINKS, asked=st.lists(st.integers(0, 7), max_size=3))
def test_any_small_graph_gives_the_same_answers(
    self_loops: None,
    stores: Stores,
    writer: Neo4jWriter,
    links: list[tuple[int, int, int]],
    asked: list[int],
) -> None:
    Concept.objects.all().delete()
    kind, _ = RelationshipKind.objects.get_or_create(slug="helps", defaults={"label": "helps"})
    concepts = Concept.objects.bulk_create(Concept(name=f"concept {number}") for number in range(8))
    Relationship.objects.bulk_create(
        Relationship(source=concepts[here], target=concepts[there], kind=kind, weight=weight)
        for here, there, weight in links
    )
    project_all(writer)
    postgres, neo4j, _ = stores.answers([Question(tuple(concepts[number].pk for number in asked), "")])
    assert neo4j == postgres
