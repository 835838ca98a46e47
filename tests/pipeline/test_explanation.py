# ruff: noqa: F811 (fixtures of another folder come by import)
import asyncio

import pytest

from corpus.graph.answers import GraphAnswers
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.models import Document, EmbeddingSpace
from corpus.search import Search
from corpus.taxonomy import Authority, ContentType
from pipeline.explanation import DocumentFacts, Explanation, explain, why_not
from pipeline.intents import INTENT_TABLE
from pipeline.phases import Plan, plan_of
from pipeline.recording import RecordingSearch
from pipeline.retrieval_node import retrieve
from pipeline.turn import IntentKind, Retrieval
from tests.corpus.conftest import Library, library, search, search_pool, space  # noqa: F401
from tests.pipeline.retrieving import ANYONE, embedded, intent_of, many

PLAN = plan_of(INTENT_TABLE[IntentKind.CONCEPT_EXPLANATION])


def explained(search: Search, kind: IntentKind = IntentKind.CONCEPT_EXPLANATION) -> tuple[Plan, Explanation]:
    recorded = RecordingSearch(search)
    intent = intent_of("zeal", kind)
    plan = plan_of(INTENT_TABLE[kind])
    graph = GraphAnswers(PostgresGraphStore(search.pool))

    async def work() -> Retrieval:
        found = await retrieve(intent=intent, embedding=embedded(), member=ANYONE, search=recorded, graph=graph)
        await recorded.read_all()
        return found

    found = asyncio.run(work())
    return plan, explain(intent=intent, plan=plan, retrieval=found, recorded=recorded)


def fates(explanation: Explanation) -> dict[str, str]:
    return {line.chunk.title: line.fate for leg in explanation.legs for line in leg.lines}


def test_every_candidate_is_there_with_both_terms_and_its_place(library: Library, search: Search) -> None:
    many(library, "Book", 10)
    many(library, "Paper", 2, authority=Authority.SUPPLEMENTARY)
    library.count()
    _, found = explained(search)
    assert [(leg.name, len(leg.lines)) for leg in found.legs] == [("phase_1", 10), ("phase_2", 2)]
    places = [line.place for leg in found.legs for line in leg.lines if line.place]
    assert sorted(places) == list(range(1, len(found.retrieval.rag_results) + 1))
    for line in found.legs[0].lines:
        assert line.vector_term + line.keyword_term == pytest.approx(line.fused)
    assert [line.fate for line in found.legs[0].lines][8:] == ["left out: the places went to better fused scores"] * 2


def test_a_near_duplicate_and_the_quota_are_said(library: Library, search: Search) -> None:
    many(library, "Book", 4)
    text = "zeal the very same words in both of these documents"
    library.add("Original", text, angles=[0])
    library.add("Copy", text, angles=[0])
    library.add("Long", *[f"zeal {' '.join(f'{a}{b}' for b in range(8))}" for a in "abcdefg"], angles=range(1, 8))
    library.count()
    _, found = explained(search)
    assert "nearly the same text as" in {fates(found)["Original"], fates(found)["Copy"]}.pop() or any(
        "nearly the same text as" in fate for fate in fates(found).values()
    )
    of_long = [line.fate for leg in found.legs for line in leg.lines if line.chunk.title == "Long"]
    assert sum(fate.startswith("source") for fate in of_long) == 4
    assert any("4 chunks of its document" in fate for fate in of_long)


def why(search: Search, title: str, plan: Plan, explanation: Explanation, nearest: float | None = None) -> str:
    document = Document.objects.get(title=title)
    facts = DocumentFacts(document.title, document.status, document.scope, nearest)
    return " ".join(why_not(str(document.pk), facts, plan, explanation))


def test_a_document_that_is_not_there_has_its_reason(library: Library, search: Search) -> None:
    many(library, "Book", 3)
    library.add("Draft", "zeal", status=Document.Status.DRAFT, angles=[0])
    library.add("Story", "zeal", content_type=ContentType.INTERVIEW, angles=[0])
    library.add("Far", "bread", angles=[80])
    library.count()
    EmbeddingSpace.objects.update(floor=0.5)
    plan, found = explained(search)
    assert "status is draft" in why(search, "Draft", plan, found)
    assert "does not search its authority and content type" in why(search, "Story", plan, found)
    assert "under the floor of 0.500" in why(search, "Far", plan, found, nearest=0.17)
    assert "Chunk 0: source" in why(search, "Book 1", plan, found)
