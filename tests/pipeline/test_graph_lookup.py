# ruff: noqa: F811 (fixtures of another folder come by import)
import asyncio
from collections.abc import Sequence

import pytest

from corpus.errors import SearchUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.answers import GraphAnswers
from corpus.graph.linking import mentions_link
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import Neo4jWriter
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.rebuilding import graph_rebuild
from corpus.graph.store import Edge, GraphAnswer, PersonaHit
from corpus.models import Concept, Persona, Relationship, RelationshipKind
from corpus.search import Search
from corpus.taxonomy import Authority, ContentType
from pipeline.graph_lookup import GraphFound, look_up_graph
from pipeline.stopwatch import Stopwatch
from pipeline.turn import IntentKind, MemberContext
from tests.corpus.conftest import Library, library, search, search_pool, space  # noqa: F401
from tests.corpus.graph.conftest import neo4j, writer  # noqa: F401
from tests.pipeline.retrieving import intent_of, many, retrieved


class SilentGraph:
    """A graph that never answers."""

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        await asyncio.Event().wait()
        raise AssertionError

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> GraphAnswer[PersonaHit]:
        return GraphAnswer((), "neo4j")


class BrokenGraph(SilentGraph):
    """A graph that fails."""

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        raise SearchUnavailable


@pytest.mark.parametrize("graph", [SilentGraph(), BrokenGraph()])
def test_a_silent_or_broken_graph_costs_only_its_part(
    library: Library,
    search: Search,
    graph: SilentGraph,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pipeline.graph_lookup.GRAPH_SECONDS", 0.05)
    many(library, "Own", 4)
    Concept.objects.create(name="Zeal")
    retrieval = retrieved(search, graph=graph)
    assert len(retrieval.rag_results) == 4
    assert retrieval.degraded == ("graph",)


@pytest.fixture
def persona(library: Library) -> Persona:
    zeal, money = (Concept.objects.create(name=name) for name in ("Zeal", "Money"))
    persona = Persona.objects.create(slug="careful", name="Careful")
    persona.concepts.add(money)
    (proof,) = library.add("Proof", "zeal makes money, zeal and money", angles=[85])
    (hidden,) = library.add("Hidden", "zeal loses money", angles=[85])
    kinds = [RelationshipKind.objects.create(slug=slug, label=f"{slug} to") for slug in ("leads", "harms")]
    Relationship.objects.create(source=zeal, target=money, kind=kinds[0], proof=proof)
    Relationship.objects.create(source=zeal, target=money, kind=kinds[1], proof=hidden, weight=10)
    mentions_link(chunk_ids=[proof.pk, hidden.pk])
    library.withdraw("Hidden")
    many(library, "Own", 12)
    return persona


def test_the_graph_gives_proven_relationships_and_persona_chunks(
    library: Library,
    persona: Persona,
    search: Search,
) -> None:
    library.add("Budget", "money for your zeal and zest", content_type=ContentType.ARTICLE, angles=[89])
    mentions_link(chunk_ids=[library.documents["Budget"].chunks.get().pk])
    member = MemberContext(persona=str(persona.pk))
    related, personal = retrieved(search, "What is zeal?", IntentKind.BOOK_REFERENCE, member=member).graph_results
    assert related.relationships == ("Zeal leads to Money",)
    assert related.entities == ("Zeal", "Money")
    assert related.proof is not None
    assert related.proof.title == "Proof"
    assert (personal.relationships, personal.origin) == ((), "postgres")
    assert [chunk.title for chunk in personal.persona_context] == ["Budget"]


def test_the_same_question_always_gives_the_same_list(
    library: Library,
    persona: Persona,
    search: Search,
) -> None:
    many(library, "Twin", 6, authority=Authority.ILLUSTRATIVE)
    many(library, "Double", 6, authority=Authority.SUPPLEMENTARY)
    first, second = (retrieved(search, "zeal and money") for _ in range(2))
    assert first.rag_results == second.rag_results
    assert first.graph_results == second.graph_results


@pytest.mark.parametrize(
    "text",
    [
        'O"Brien',
        "Thich-Nhat",
        "C++",
        "AND",
        "What is and/or?",
        "C++ (basics)",
        'who said "yes',
        "key:value ~3",
        "}) DETACH DELETE n //",
        "' OR 1=1 --",
        "zeal " * 2_000,
    ],
)
def test_no_text_of_a_member_disturbs_neo4j(
    library: Library, search: Search, neo4j: GraphAddress, writer: Neo4jWriter, text: str
) -> None:
    """Names are found in Postgres and memory; a store is asked with numbers."""
    for name in ('O"Brien', "Thich-Nhat", "C++", "AND", "Zeal"):
        Concept.objects.create(name=name)
    graph_rebuild(writer)

    async def asked() -> GraphFound:
        graph = GraphAnswers(PostgresGraphStore(search._pool), Neo4jGraph.connect(neo4j, seconds=60), budget=60)
        try:
            await graph.look()
            intent = intent_of(text, IntentKind.GENERAL)
            member = MemberContext(persona="careful")
            return await look_up_graph(intent=intent, member=member, search=search, graph=graph, watch=Stopwatch())
        finally:
            await graph.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pipeline.graph_lookup.GRAPH_SECONDS", 120)
        found = asyncio.run(asked())
    assert not found.degraded
    assert found.edges.items == ()
