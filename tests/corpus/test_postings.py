import psycopg
import pytest

from corpus.errors import EmbedderUnavailable
from corpus.models import Chunk, CorpusStatistics, Document, EmbeddingSpace, LexemeStatistics, Posting
from corpus.pool import _connection_facts
from corpus.postings import (
    _STATISTICS_LOCK,
    HEADING_WEIGHT,
    TEXT_WEIGHT,
    TITLE_WEIGHT,
    configuration_of,
    floor_and_coverage,
    off_topic_questions,
    postings_write,
    statistics_rebuild,
)
from tests.corpus.conftest import Library, direction


def postings(chunk: Chunk) -> dict[str, float]:
    return dict(Posting.objects.filter(chunk=chunk).values_list("lexeme", "tf"))


def documents() -> dict[str, int]:
    return dict(LexemeStatistics.objects.values_list("lexeme", "documents"))


@pytest.mark.parametrize(
    ("language", "configuration"),
    [("en", "english"), ("en-GB", "english"), ("DE_ch", "german"), ("ja", "simple"), ("", "simple"), ("xx", "simple")],
)
def test_a_language_tag_chooses_the_configuration(language: str, configuration: str) -> None:
    assert configuration_of(language) == configuration


def test_a_word_counts_by_the_fields_it_stands_in(library: Library) -> None:
    (chunk,) = library.add("Disruption", "Disrupting once, disrupted twice", heading=["Disrupt", "You"])
    assert postings(chunk)["english:disrupt"] == TITLE_WEIGHT + HEADING_WEIGHT + 2 * TEXT_WEIGHT
    chunk.refresh_from_db()
    assert chunk.length == round(sum(postings(chunk).values()))


def test_words_are_stemmed_in_the_language_of_the_document(library: Library) -> None:
    (german,) = library.add("Mut", "die Häuser und Gärten", language="de-AT")
    (unknown,) = library.add("X", "the gardens", language="xx")
    assert set(postings(german)) == {"german:mut", "german:haus", "german:gart"}
    assert set(postings(unknown)) == {"simple:x", "simple:the", "simple:gardens"}


def test_writing_again_replaces(library: Library) -> None:
    chunks = library.add("Old", "words")
    postings_write(chunks, title="New", language="en", scope=None)
    assert set(postings(chunks[0])) == {"english:new", "english:word"}
    assert set(Posting.objects.values_list("scope", flat=True)) == {None}


def test_a_chunk_of_stop_words_or_of_one_endless_word_is_no_error(library: Library) -> None:
    stop, endless = library.add("It", "to be or not to be", "ä" * 1_600)
    assert postings(stop) == {}
    assert stop.length == 0
    assert postings(endless) == {}


def test_statistics_know_published_chunks_only_and_only_after_the_recount(library: Library) -> None:
    library.add("Fear", "fear and doubt", "more doubt")
    library.add("Draft", "doubt", status=Document.Status.DRAFT)
    assert documents() == {}
    library.count()
    assert documents() == {"english:fear": 2, "english:doubt": 2}
    facts = CorpusStatistics.objects.get()
    assert (facts.chunks, facts.mean_length, facts.configurations) == (2, 3.5, ["english"])


def test_a_recount_forgets_what_is_gone_and_does_nothing_when_nothing_changed(library: Library) -> None:
    library.add("Fear", "doubt")
    library.add("Hope", "joy")
    library.count()
    library.withdraw("Fear")
    assert not statistics_rebuild(embed=lambda space, texts: [])
    CorpusStatistics.objects.update(changes=3)
    library.count()
    assert documents() == {"english:hope": 1, "english:joy": 1}


def test_there_are_two_hundred_different_off_topic_questions() -> None:
    assert len(set(off_topic_questions())) == 200


def test_the_floor_is_the_median_and_needs_two_hundred_chunks() -> None:
    similarities = [number / 100 for number in range(1, 100)]
    floor, coverage = floor_and_coverage(similarities, 200)
    assert floor == 0.5
    assert coverage == pytest.approx(0.9)
    assert floor_and_coverage(similarities, 199) == (None, coverage)
    assert floor_and_coverage([], 0) == (None, None)


def test_the_floor_is_measured_anew_when_a_tenth_has_changed(library: Library) -> None:
    library.add("A", *["text"] * 200, angles=[30] * 200)
    library.count()
    first = EmbeddingSpace.objects.get()
    assert first.floor == pytest.approx(0)
    assert first.floor_chunks == 200
    statistics_rebuild(embed=lambda space, texts: [direction(30) for _ in texts])
    assert EmbeddingSpace.objects.get().floor == first.floor
    library.add("B", *["more"] * 20, angles=[60] * 20)
    assert statistics_rebuild(embed=lambda space, texts: [direction(30) for _ in texts])
    assert EmbeddingSpace.objects.get().floor == pytest.approx(1)


def test_a_silent_embedder_leaves_the_floor_as_it_is(library: Library) -> None:
    def silent(space: EmbeddingSpace, texts: object) -> list[object]:
        raise EmbedderUnavailable

    library.add("A", "text", angles=[0])
    assert statistics_rebuild(embed=silent)  # type: ignore[arg-type]
    assert EmbeddingSpace.objects.get().floor_chunks == 0
    assert documents() != {}


@pytest.mark.django_db(transaction=True)
def test_one_process_counts_at_a_time(committed_library: Library) -> None:
    committed_library.add("Fear", "doubt")
    with psycopg.connect(**_connection_facts()) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [_STATISTICS_LOCK])
        committed_library.count()
        assert documents() == {}
        # A connection that is closed is noticed by the server in its own time, and its locks with it.
        other.execute("SELECT pg_advisory_unlock(%s)", [_STATISTICS_LOCK])
    committed_library.count()
    assert documents() == {"english:fear": 1, "english:doubt": 1}
