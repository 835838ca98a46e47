import pytest
from django.db import connection

from corpus.graph.curation import concept_create, concept_names_changed, concepts_delete
from corpus.graph.linking import mentions_link, names_of
from corpus.graph.work import work_do, work_open, work_request
from corpus.models import Chunk, Concept, GraphWork, Mention
from tests.corpus.conftest import Library


def mentions() -> dict[tuple[str, int], int]:
    return {(m.concept.name, m.chunk_id): m.count for m in Mention.objects.select_related("concept")}


@pytest.fixture
def chunks(library: Library) -> list[Chunk]:
    return library.add("A", "Fear is fear.", "Courage, not dread.", "Nothing here")


def test_linking_stores_what_the_chunks_name_and_may_be_repeated(chunks: list[Chunk]) -> None:
    fear = Concept.objects.create(name="Fear")
    fear.aliases.create(name="dread")
    Concept.objects.create(name="Courage")
    for _ in range(2):
        mentions_link(chunk_ids=[chunk.pk for chunk in chunks])
    first, second, _ = (chunk.pk for chunk in chunks)
    assert mentions() == {("Fear", first): 2, ("Fear", second): 1, ("Courage", second): 1}


def test_a_renamed_concept_is_linked_anew_and_others_stay(chunks: list[Chunk]) -> None:
    fear, courage = (concept_create(name=name) for name in ("Fear", "Courage"))
    work_do()
    before = names_of([fear])
    fear.name = "Dread"
    fear.save()
    concept_names_changed(fear, before=before)
    assert work_open()
    work_do()
    assert mentions() == {("Dread", chunks[1].pk): 1, (courage.name, chunks[1].pk): 1}
    assert work_open() == []


def test_a_longer_name_hides_a_shorter_one_until_it_is_deleted(library: Library) -> None:
    (chunk,) = library.add("A", "Fear of failing is not fear.")
    concept_create(name="Fear")
    longer = concept_create(name="Fear of failing")
    work_do()
    assert mentions() == {("Fear", chunk.pk): 1, ("Fear of failing", chunk.pk): 1}
    concepts_delete([longer])
    work_do()
    assert mentions() == {("Fear", chunk.pk): 2}


def test_the_languages_of_documents_decide_on_endings(library: Library) -> None:
    (german,) = library.add("A", "Die Netze tragen.", language="de-CH")
    library.add("B", "The netze.", language="en")
    concept_create(name="Netz")
    work_do()
    assert mentions() == {("Netz", german.pk): 1}


def test_work_goes_on_after_the_last_batch_that_was_stored(
    chunks: list[Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.graph.linking.BATCH", 1)
    concept_create(name="Fear")
    concept_create(name="Courage")
    work_do(seconds=0)  # only begins
    work_do(seconds=0)
    (work,) = (one for one in work_open() if one.kind == GraphWork.Kind.LINKING)
    assert (work.after, work.done, work.total, work.names) == (chunks[0].pk, 1, 3, ["Courage", "Fear"])
    assert mentions() == {("Fear", chunks[0].pk): 2}
    work_do()
    assert mentions() == {("Fear", chunks[0].pk): 2, ("Courage", chunks[1].pk): 1}


def test_names_that_change_while_work_runs_wait_for_their_own_round(chunks: list[Chunk]) -> None:
    concept_create(name="Fear")
    work_do(seconds=0)
    concept_create(name="Courage")
    concept_create(name="Nothing")
    assert [work.names for work in work_open()] == [["Fear"], ["Courage", "Nothing"]]
    work_do()
    assert {name for name, _ in mentions()} == {"Fear", "Courage", "Nothing"}


def test_two_workers_never_do_the_same(chunks: list[Chunk], django_db_blocker: object) -> None:
    work_request(GraphWork.Kind.LINKING, ["Fear"])
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [0x5EC0AC9])
        work_do()
        assert [work.started_at for work in work_open()] == [None]
    finally:
        # A closed connection goes back to its pool, with the locks of its session.
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
        other.close()
