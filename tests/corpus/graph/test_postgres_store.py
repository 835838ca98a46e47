from asyncio import run

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.graph.linking import mentions_link
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.ranking import edge_score
from corpus.graph.store import MAX_EDGES, Edge, PersonaHit
from corpus.models import Concept, Document, Persona, Relationship, RelationshipKind
from tests.corpus.conftest import Library, OwnConnectionPool


@pytest.fixture
def store(search_pool: OwnConnectionPool) -> PostgresGraphStore:
    return PostgresGraphStore(search_pool)


def graph_of(links: list[tuple[int, int, int]], size: int = 8) -> tuple[list[Concept], list[Relationship]]:
    """Concepts numbered from 0 and relationships (source, target, weight) between them."""
    Relationship.objects.all().delete()
    Concept.objects.all().delete()
    kind, _ = RelationshipKind.objects.get_or_create(slug="helps", defaults={"label": "helps"})
    concepts = Concept.objects.bulk_create(Concept(name=f"concept {number}") for number in range(size))
    return concepts, Relationship.objects.bulk_create(
        Relationship(source=concepts[source], target=concepts[target], kind=kind, weight=weight)
        for source, target, weight in links
    )


def by_the_book(relationships: list[Relationship], asked: list[int]) -> list[Edge]:
    """What the definition says, counted one by one."""

    def distance(start: int, end: int) -> int:
        if start == end:
            return 0
        return 1 if any({r.source_id, r.target_id} == {start, end} for r in relationships) else 9

    found = []
    for one in relationships:
        hops = [1 + min(distance(q, one.source_id), distance(q, one.target_id)) for q in set(asked)]
        if min(hops, default=9) <= 2:
            near = sum(hop <= 2 for hop in hops)
            score = edge_score(weight=one.weight, hops=min(hops), near=near)
            found.append(Edge(one.pk, one.source_id, one.target_id, one.kind_id, min(hops), score, one.proof_id))
    return sorted(found, key=lambda edge: (-edge.score, edge.relationship))


def test_edges_are_undirected_and_two_hops_deep(db: None, store: PostgresGraphStore) -> None:
    concepts, links = graph_of([(0, 1, 5), (2, 1, 5), (2, 3, 5), (3, 4, 5)])
    edges = run(store.edges([concepts[0].pk]))
    assert [(edge.relationship, edge.hops, edge.score) for edge in edges] == [(links[0].pk, 1, 10), (links[1].pk, 2, 5)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    links=st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 10)).filter(lambda link: link[0] != link[1]),
        max_size=14,
        unique_by=lambda link: link[:2],
    ),
    asked=st.lists(st.integers(0, 7), max_size=4),
)
def test_any_graph_is_ranked_by_the_book(
    db: None, store: PostgresGraphStore, links: list[tuple[int, int, int]], asked: list[int]
) -> None:
    concepts, relationships = graph_of(links)
    ids = [concepts[number].pk for number in asked]
    assert run(store.edges(ids)) == by_the_book(relationships, ids)


def test_a_hub_gives_the_best_edges_only(db: None, store: PostgresGraphStore) -> None:
    concepts, links = graph_of([(0, number, 1 + (number == 250)) for number in range(1, 251)], size=251)
    edges = run(store.edges([concepts[0].pk]))
    assert len(edges) == MAX_EDGES
    assert [edge.relationship for edge in edges[:2]] == [links[249].pk, links[0].pk]


@pytest.fixture
def persona(library: Library) -> Persona:
    money, fear = (Concept.objects.create(name=name) for name in ("Money", "Fear"))
    persona = Persona.objects.create(slug="careful", name="Careful")
    persona.concepts.add(money)
    Concept.objects.create(name="Garden")
    library.add("A", "fear of money", "money money and fear", "fear alone", "money alone", "garden and money")
    library.add("Draft", "fear and money", status=Document.Status.DRAFT)
    mentions_link(chunk_ids=[chunk.pk for document in library.documents.values() for chunk in document.chunks.all()])
    assert fear.mentions.count() == 4
    return persona


def test_persona_chunks_name_both_and_are_published(
    library: Library, persona: Persona, store: PostgresGraphStore
) -> None:
    fear = Concept.objects.get(name="Fear")
    chunks = list(library.documents["A"].chunks.order_by("ordinal"))
    expected = [PersonaHit(chunks[1].pk, 3), PersonaHit(chunks[0].pk, 2)]
    assert run(store.persona_chunks([fear.pk], "careful")) == expected
    assert run(store.persona_chunks([fear.pk], str(persona.pk))) == expected
    assert run(store.persona_chunks([fear.pk], "nobody")) == []
    assert run(store.persona_chunks([], "careful")) == []


def test_a_concept_of_both_needs_no_second(library: Library, persona: Persona, store: PostgresGraphStore) -> None:
    money = Concept.objects.get(name="Money")
    assert len(run(store.persona_chunks([money.pk], "careful"))) == 4
