# ruff: noqa: F811 (fixtures of another folder come by import)
import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from corpus.embeddings import QueryVector
from corpus.errors import EmbedderUnavailable, SearchUnavailable
from corpus.graph.answers import GraphAnswers
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.graph.store import Edge, PersonaHit
from corpus.models import Concept, EmbeddingSpace
from corpus.pool import RetrievalPool, Row
from corpus.search import Hit, Leg, Search, VectorHits
from corpus.taxonomy import Authority, ContentType
from pipeline.retrieval_node import retrieve
from pipeline.turn import Intent, IntentKind, MemberContext, Retrieval, SearchQuery, WeightedText
from tests.corpus.conftest import (  # noqa: F401
    Library,
    OwnConnectionPool,
    committed_library,
    library,
    question,
    real_pool,
    search,
    search_pool,
    space,
)
from tests.pipeline.retrieving import embedded, found, intent_of, many, retrieved

SUPPLEMENTARY, ILLUSTRATIVE, SUPPORTING = Authority.SUPPLEMENTARY, Authority.ILLUSTRATIVE, Authority.SUPPORTING


class NoPool:
    """A database that is away."""

    async def rows(self, statement: Any, params: Any) -> list[Row]:
        raise SearchUnavailable


async def not_embedded() -> QueryVector:
    raise EmbedderUnavailable


def test_primary_comes_first_and_each_phase_has_its_slots(library: Library, search: Search) -> None:
    many(library, "Own", 10)
    many(library, "Other", 10, authority=SUPPLEMENTARY)
    retrieval = retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION)
    assert [phase for phase, _ in found(retrieval)] == ["phase_1"] * 8 + ["phase_2"] * 4
    assert [title for _, title in found(retrieval)[:2]] == ["Own 0", "Own 1"]
    first = retrieval.rag_results[0]
    assert (first.vector_rank, first.keyword_rank, first.rrf_score) == (1, 1, 1.0)
    assert retrieval.space == "test"
    assert retrieval.degraded == ()


@pytest.mark.parametrize("kind", [IntentKind.CONCEPT_EXPLANATION, IntentKind.EXPLORATION])
def test_reading_the_likely_first_changes_no_list(
    library: Library, search: Search, monkeypatch: pytest.MonkeyPatch, kind: IntentKind
) -> None:
    many(library, "Book", 6)
    library.add("Long", *[f"zeal {' '.join(f'{a}{b}' for b in range(8))}" for a in "abcdefghij"], angles=range(1, 11))
    many(library, "Paper", 5, authority=SUPPLEMENTARY)
    library.count()
    everything = retrieved(search, kind=kind)
    for few in (1, 3, 5, 9):
        monkeypatch.setattr("pipeline.phases.READ_FIRST", few)
        assert retrieved(search, kind=kind).rag_results == everything.rag_results


def test_an_intent_sees_its_own_content_types_only(library: Library, search: Search) -> None:
    many(library, "Chapter", 4)
    many(library, "Quote", 4, content_type=ContentType.QUOTE)
    many(library, "Interview", 4, content_type=ContentType.INTERVIEW)
    many(library, "Other", 4, authority=SUPPLEMENTARY, content_type=ContentType.QUOTE)
    titles = {title.split()[0] for _, title in found(retrieved(search, kind=IntentKind.BOOK_REFERENCE))}
    assert titles == {"Chapter", "Quote"}


def test_in_the_full_corpus_free_slots_pass_to_the_other_phase(library: Library, search: Search) -> None:
    many(library, "Own", 3)
    many(library, "Other", 12, authority=SUPPLEMENTARY, content_type=ContentType.ARTICLE)
    phases = [phase for phase, _ in found(retrieved(search))]
    assert phases == ["phase_1"] * 3 + ["phase_2"] * 9
    many(library, "More", 20)
    for title in [title for title in library.documents if title.startswith("Other")][2:]:
        library.withdraw(title)
    phases = [phase for phase, _ in found(retrieved(search))]
    assert phases == ["phase_1"] * 10 + ["phase_2"] * 2


def test_supporting_sources_only_take_what_others_leave(library: Library, search: Search) -> None:
    many(library, "Own", 10)
    many(library, "Background", 6, authority=SUPPORTING)
    many(library, "Other", 1, authority=SUPPLEMENTARY)
    titles = [title.split()[0] for phase, title in found(retrieved(search)) if phase == "phase_2"]
    assert titles == ["Other", "Background", "Background", "Background"]
    many(library, "Example", 5, authority=ILLUSTRATIVE)
    kinds = {title.split()[0] for phase, title in found(retrieved(search)) if phase == "phase_2"}
    assert kinds == {"Other", "Example"}


def test_what_phase_1_chose_is_not_told_again(library: Library, search: Search) -> None:
    text = "zeal " + " ".join(f"word{number}" for number in range(60))
    library.add("Own", text, angles=[3])
    library.add("Copy", text + " indeed", authority=SUPPLEMENTARY, angles=[2])
    many(library, "Other", 3, authority=SUPPLEMENTARY)
    titles = [title for _, title in found(retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION))]
    assert titles == ["Own", "Other 0", "Other 1", "Other 2"]


def test_broad_match_helps_out_under_three_results_with_four_at_most(
    library: Library,
    search: Search,
) -> None:
    many(library, "Own", 2)
    many(library, "Article", 9, content_type=ContentType.ARTICLE)
    retrieval = retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION)
    assert [phase for phase, _ in found(retrieval)] == ["phase_1"] * 2 + ["broad_match"] * 4
    many(library, "Third", 1)
    assert len(found(retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION))) == 3


def test_without_a_floor_results_that_do_not_cover_the_question_leave_broad_match_its_place(
    library: Library, search: Search
) -> None:
    for number in range(5):
        library.add(f"Far {number}", f"nothing alike {number}", angles=[70 + number])
    library.add("Near", "zeal", content_type=ContentType.ARTICLE, angles=[1])
    EmbeddingSpace.objects.update(coverage=0.9)
    phases = [phase for phase, _ in found(retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION))]
    assert phases == ["phase_1"] * 2 + ["broad_match"] * 4
    retrieval = retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION)
    assert retrieval.rag_results[2].title == "Near"
    assert retrieval.covered
    EmbeddingSpace.objects.update(floor=0.1)
    assert "broad_match" not in {phase for phase, _ in found(retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION))}


def test_broad_match_obeys_the_floor(library: Library, search: Search) -> None:
    library.add("Far", "nothing alike", content_type=ContentType.ARTICLE, angles=[80])
    EmbeddingSpace.objects.update(floor=0.5)
    retrieval = retrieved(search, kind=IntentKind.CONCEPT_EXPLANATION)
    assert retrieval.rag_results == ()
    assert retrieval.nearest == "Far"
    assert not retrieval.covered


def test_a_best_chunk_under_the_coverage_line_is_doubted(library: Library, search: Search) -> None:
    many(library, "Own", 4)
    EmbeddingSpace.objects.update(coverage=0.9)
    assert retrieved(search).covered
    EmbeddingSpace.objects.update(coverage=0.99999)
    assert not retrieved(search).covered


def test_a_guessed_intent_reads_the_full_corpus(library: Library, search: Search) -> None:
    many(library, "Article", 5, content_type=ContentType.ARTICLE)
    query = SearchQuery("zeal", (WeightedText("zeal"),))
    guess = Intent(IntentKind.BOOK_REFERENCE, 0.2, 1, "zeal", query)
    store = GraphAnswers(PostgresGraphStore(search._pool))

    async def work() -> Retrieval:
        return await retrieve(intent=guess, embedding=embedded(), member=MemberContext(), search=search, graph=store)

    assert [phase for phase, _ in found(asyncio.run(work()))] == ["phase_1"] * 5


def test_small_talk_asks_nobody() -> None:
    waiting: asyncio.Future[QueryVector] = asyncio.Future(loop=asyncio.new_event_loop())
    retrieval = retrieved(Search(NoPool()), embedding=waiting, needs_retrieval=False)
    assert retrieval == Retrieval()
    waiting.get_loop().close()


def test_without_an_embedding_words_still_find(library: Library, search: Search) -> None:
    many(library, "Own", 4)
    retrieval = retrieved(search, embedding=not_embedded())
    assert len(retrieval.rag_results) == 4
    assert retrieval.degraded == ("embedding",)
    assert (retrieval.space, retrieval.covered) == ("", True)


def test_an_embedding_that_never_comes_is_not_waited_for(
    library: Library, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never() -> QueryVector:
        await asyncio.Event().wait()
        return question()

    monkeypatch.setattr("pipeline.retrieval_node.EMBEDDING_SECONDS", 0.05)
    many(library, "Own", 4)
    retrieval = retrieved(search, embedding=never())
    assert len(retrieval.rag_results) == 4
    assert retrieval.degraded == ("embedding",)


def test_a_space_dropped_meanwhile_is_as_no_embedding(library: Library, search: Search) -> None:
    async def of_another_space() -> QueryVector:
        return QueryVector("gone", question().vector)

    many(library, "Own", 4)
    retrieval = retrieved(search, embedding=of_another_space())
    assert len(retrieval.rag_results) == 4
    assert retrieval.degraded == ("embedding",)


def test_a_database_that_is_away_is_one_plain_error() -> None:
    with pytest.raises(SearchUnavailable):
        retrieved(Search(NoPool()))


@pytest.mark.django_db(transaction=True)
class TestOnTheRealPool:
    async def test_channels_run_beside_each_other_and_a_withdrawal_counts_at_once(
        self,
        committed_library: Library,
        stocked: None,
        real_pool: RetrievalPool,
    ) -> None:
        search = Search(real_pool)
        graph = GraphAnswers(PostgresGraphStore(real_pool))

        async def ask() -> Retrieval:
            return await retrieve(
                intent=intent_of("zeal"), embedding=embedded(), member=MemberContext(), search=search, graph=graph
            )

        before = await ask()
        assert [title for _, title in found(before)] == ["Own 0", "Own 1", "Own 2", "Own 3"]
        assert {"vector_1", "keyword_1", "vector_2", "keyword_2", "embedding", "read"} <= set(before.timings)
        await asyncio.to_thread(withdraw, committed_library, "Own 1")
        assert [title for _, title in found(await ask())] == ["Own 0", "Own 2", "Own 3"]

    async def test_all_six_channels_are_on_their_way_before_the_first_has_answered(
        self, committed_library: Library, named: None, real_pool: RetrievalPool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # However slow the machine is: none waits for another for ever, and the graph is not given up early.
        monkeypatch.setattr("pipeline.graph_lookup.GRAPH_SECONDS", 20.0)
        start = asyncio.Barrier(6)
        async with asyncio.timeout(25):
            found = await retrieve(
                intent=intent_of("zeal", IntentKind.CONCEPT_EXPLANATION),
                embedding=embedded(),
                member=MemberContext(persona="starter"),
                search=TogetherSearch(real_pool, start),
                graph=GraphAnswers(TogetherGraph(real_pool, start)),
            )
        assert len(found.rag_results) == 4
        assert start.n_waiting == 0

    @pytest.fixture
    def named(self, committed_library: Library, stocked: None) -> None:
        Concept.objects.create(name="zeal")

    @pytest.fixture
    def stocked(self, committed_library: Library) -> None:
        many(committed_library, "Own", 4)


class TogetherSearch(Search):
    """Asks Postgres only when all six channels want to: one that waits for another never gets there."""

    def __init__(self, pool: RetrievalPool, start: asyncio.Barrier) -> None:
        super().__init__(pool)
        self.start = start

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        await self.start.wait()
        return await super().vector(query, legs)

    async def keyword(self, text: str, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        await self.start.wait()
        return await super().keyword(text, legs)


class TogetherGraph(PostgresGraphStore):
    """The same for both look-ups in the graph."""

    def __init__(self, pool: RetrievalPool, start: asyncio.Barrier) -> None:
        super().__init__(pool)
        self.start = start

    async def edges(self, concepts: Sequence[int]) -> list[Edge]:
        await self.start.wait()
        return await super().edges(concepts)

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> list[PersonaHit]:
        await self.start.wait()
        return await super().persona_chunks(concepts, persona)


def withdraw(library: Library, title: str) -> None:
    from django.db import connection

    library.withdraw(title)
    connection.close()
