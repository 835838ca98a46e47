from asyncio import run

import pytest
from django.db import connection

from corpus import search as search_module
from corpus.embeddings import QueryVector
from corpus.errors import NoActiveSpace
from corpus.models import Chunk, Concept, Document, EmbeddingSpace
from corpus.naming.index import concepts_named
from corpus.search import Leg, Search
from corpus.taxonomy import Authority, ContentType, scopes_of
from tests.corpus.conftest import Library, question

PRIMARY = Leg(scopes_of([Authority.PRIMARY], ContentType))
SUPPLEMENTARY = Leg(scopes_of([Authority.SUPPLEMENTARY], ContentType))
EVERYTHING = Leg(scopes_of(Authority, ContentType))
AWKWARD = [
    "to be or not to be",
    "the who",
    '"the"',
    "''",
    "!!!",
    "& | :*",
    "a",
    "",
    "\x00",
    "\ud800",
    "What is and/or?",
    "C++ (basics)",
    "key:value ~3",
    "AND",
    "%s %(text)s {table}",
]


def ids(chunks: list[Chunk], *numbers: int) -> list[int]:
    return [chunks[number].pk for number in numbers]


def keyword(search: Search, text: str, leg: Leg = EVERYTHING) -> list[int]:
    (hits,) = run(search.keyword(text, [leg]))
    return [hit.chunk for hit in hits]


def vector(search: Search, leg: Leg = EVERYTHING) -> list[int]:
    (hits,) = run(search.vector(question(), [leg])).legs
    return [hit.chunk for hit in hits]


@pytest.fixture
def hnsw_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every vector search goes through the index, however few rows there are."""
    monkeypatch.setattr(search_module, "EXACT_ROWS", -1)


class TestKeyword:
    @pytest.fixture
    def chunks(self, library: Library) -> list[Chunk]:
        chunks = library.add(
            "Reinvention",
            "courage and fear of change",
            "courage courage courage",
            "the garden of a neighbour",
            "money and pensions",
        )
        library.count()
        return chunks

    def test_any_word_finds_and_more_and_rarer_words_find_better(self, chunks: list[Chunk], search: Search) -> None:
        assert keyword(search, "fear or courage?") == ids(chunks, 0, 1)

    def test_words_are_found_in_every_form(self, chunks: list[Chunk], search: Search) -> None:
        assert keyword(search, "Gardens") == ids(chunks, 2)

    @pytest.mark.parametrize("text", AWKWARD)
    def test_awkward_questions_find_nothing_and_are_no_error(
        self, chunks: list[Chunk], search: Search, text: str
    ) -> None:
        assert keyword(search, text) == []

    def test_a_question_of_ten_thousand_characters_is_answered(self, chunks: list[Chunk], search: Search) -> None:
        assert keyword(search, "pensions " * 1_200) == ids(chunks, 3)
        assert keyword(search, " ".join(f"word{number}" for number in range(5_000))) == []

    def test_a_chunk_that_matches_less_than_a_quarter_is_dropped(self, chunks: list[Chunk], search: Search) -> None:
        assert keyword(search, "neighbour zebra") == ids(chunks, 2)
        assert keyword(search, "neighbour zebra quagga okapi giraffe") == []

    def test_a_word_said_often_counts_as_often(self, chunks: list[Chunk], search: Search) -> None:
        assert keyword(search, "garden garden garden zebra quagga okapi giraffe") == ids(chunks, 2)

    def test_drafts_and_other_scopes_are_not_found(self, library: Library, search: Search) -> None:
        library.add("Draft", "zeal", status=Document.Status.DRAFT)
        (other,) = library.add("Other", "zeal", authority=Authority.SUPPLEMENTARY)
        library.count()
        assert keyword(search, "zeal") == [other.pk]
        assert keyword(search, "zeal", PRIMARY) == []

    def test_each_leg_has_its_own_limit(self, library: Library, search: Search) -> None:
        library.add("A", *["zeal"] * 5)
        library.add("B", *["zeal"] * 5, authority=Authority.SUPPLEMENTARY)
        library.count()
        first, second = run(search.keyword("zeal", [Leg(PRIMARY.scopes, 3), Leg(SUPPLEMENTARY.scopes, 2)]))
        assert (len(first), len(second)) == (3, 2)

    def test_languages_share_a_question(self, library: Library, search: Search) -> None:
        (german,) = library.add("Wandel", "Gärten und Häuser", language="de")
        (english,) = library.add("Change", "The gardens of the town", *["Another matter"] * 20)[:1]
        library.count()
        assert keyword(search, "Garten") == [german.pk]
        assert keyword(search, "What is in the garden of the town?") == [english.pk]

    def test_before_the_first_recount_words_are_found_already(self, library: Library, search: Search) -> None:
        (chunk,) = library.add("Fresh", "zeal at the start")
        assert keyword(search, "zeal") == [chunk.pk]

    def test_common_words_are_looked_up_for_the_best_chunks_only(
        self, library: Library, search: Search, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("corpus.keyword.POSTINGS_READ", 3)
        chunks = library.add("A", "zeal work", "zeal rest", *["work"] * 8)
        library.count()
        assert keyword(search, "zeal work") == ids(chunks, 0, 1)


class TestVector:
    @pytest.fixture(params=["exact", "index", "no index"], autouse=True)
    def way(self, request: pytest.FixtureRequest, space: EmbeddingSpace) -> None:
        if request.param != "exact":
            request.getfixturevalue("hnsw_always")
        if request.param == "no index":
            with connection.cursor() as cursor:
                cursor.execute(f"DROP INDEX {space.table}_embedding_idx")

    def test_the_nearest_comes_first(self, library: Library, search: Search) -> None:
        chunks = library.add("A", "far", "near", "middle", angles=[60, 5, 30])
        assert vector(search) == ids(chunks, 1, 2, 0)

    def test_a_narrow_filter_still_finds_all_it_can(self, library: Library, search: Search) -> None:
        library.add("Near", *["text"] * 500, authority=Authority.SUPPLEMENTARY, angles=[n / 50 for n in range(500)])
        far = library.add("Far", *["text"] * 12, angles=[40 + n for n in range(12)])
        assert vector(search, Leg(PRIMARY.scopes, 10)) == [chunk.pk for chunk in far[:10]]

    def test_legs_are_limited_one_by_one(self, library: Library, search: Search) -> None:
        library.add("A", *["text"] * 5, angles=[1, 2, 3, 4, 5])
        library.add("B", *["text"] * 5, authority=Authority.SUPPLEMENTARY, angles=[1, 2, 3, 4, 5])
        hits = run(search.vector(question(), [Leg(PRIMARY.scopes, 3), Leg(SUPPLEMENTARY.scopes, 2)]))
        assert [len(leg) for leg in hits.legs] == [3, 2]

    def test_what_lies_under_the_floor_is_dropped(self, library: Library, search: Search) -> None:
        near, _ = library.add("A", "near", "far", angles=[20, 70])
        EmbeddingSpace.objects.update(floor=0.5, coverage=0.7)
        hits = run(search.vector(question(), [EVERYTHING]))
        assert [hit.chunk for hit in hits.legs[0]] == [near.pk]
        assert hits.coverage == 0.7

    def test_drafts_and_withdrawn_documents_are_not_found(self, library: Library, search: Search) -> None:
        library.add("Draft", "text", status=Document.Status.DRAFT, angles=[0])
        library.add("Gone", "text", angles=[0])
        library.withdraw("Gone")
        assert vector(search) == []


@pytest.mark.parametrize("query", [QueryVector("gone", question().vector), QueryVector("test", question().vector[:3])])
def test_a_vector_of_no_space_or_of_another_dimension_is_said(
    library: Library, search: Search, query: QueryVector
) -> None:
    library.add("A", "text", angles=[0])
    with pytest.raises(NoActiveSpace):
        run(search.vector(query, [EVERYTHING]))


def test_what_is_read_is_published_now(library: Library, search: Search) -> None:
    (kept,) = library.add("Kept", "text", heading=["One", "Two"])
    (gone,) = library.add("Gone", "text")
    Document.objects.filter(title="Gone").update(status=Document.Status.WITHDRAWN)
    found = run(search.read([kept.pk, gone.pk]))
    assert list(found) == [kept.pk]
    assert found[kept.pk].heading_path == ("One", "Two")
    assert found[kept.pk].locator == {"page": "0"}
    assert found[kept.pk].authority is Authority.PRIMARY


def test_the_nearest_title_is_named_however_far_it_is(library: Library, search: Search) -> None:
    assert run(search.nearest_title(question())) == ""
    library.add("Far", "text", angles=[80])
    library.add("Farther", "text", angles=[90])
    assert run(search.nearest_title(question())) == "Far"


def test_a_probe_tells_how_near_the_library_comes(library: Library, search: Search) -> None:
    assert run(search.probe([question()])) == [0]
    library.add("A", "text", angles=[0])
    EmbeddingSpace.objects.update(floor=0.5)
    assert run(search.probe([question(80), question(0), question(30)])) == [0, 1, pytest.approx(0.866, abs=0.001)]


def test_concept_names_are_found_however_they_are_written(db: None, search: Search) -> None:
    concept = Concept.objects.create(name="Second Act")
    concept.aliases.create(name="Übergang")
    Concept.objects.create(name="Fear")
    assert dict(run(search.concept_names("my SECOND\n act, ein Übergang \x00"))) == {
        "Second Act": concept.pk,
        "Übergang": concept.pk,
    }


STRANGE = [
    'O"Brien',
    "Thich-Nhat",
    "C++",
    "AND",
    "title:fear~2",
    "MATCH (n) DETACH DELETE n",
    "a' OR '1'='1",
    "100%_{}",
]


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_name_is_found_where_it_is_a_concept(db: None, search: Search, name: str) -> None:
    concept = Concept.objects.create(name=name)
    Concept.objects.create(name="Fear")
    text = f"What do you say about {name}?"
    assert concepts_named(text, run(search.concept_names(text))) == {concept.pk: 1}


@pytest.mark.parametrize(
    "text", ["", "... \x00", "(" * 10_000, "fear AND courage " * 600, '"; DROP TABLE x; --', "{}%s"]
)
def test_no_text_harms_the_look_up_of_names(db: None, search: Search, text: str) -> None:
    fear = Concept.objects.create(name="Fear")
    found = concepts_named(text, run(search.concept_names(text)))
    assert found == ({fear.pk: 600} if "fear" in text else {})
