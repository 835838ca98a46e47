import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connection, connections, transaction
from pytest_django import Settings

from corpus.embeddings import QueryEmbedder, QueryVector, Vector
from corpus.errors import EmbedderMissing, InvalidSpace
from corpus.models import Chunk, EmbeddingSpace, SpaceBuild
from corpus.models.spaces import alone_on, chunks_missing, swapping, vectors_published
from corpus.postings import off_topic_questions
from corpus.reembedding import (
    space_begin,
    space_build,
    space_build_run,
    space_drop,
    space_pause,
    space_switch,
    spaces_sweep,
)
from corpus.search import Search
from corpus.services import document_delete, document_publish, document_update, document_withdraw, ingestion_run
from tests.corpus.hash_embedder import HashEmbedder, vector_of
from tests.corpus.reading_in import document_make, paragraphs, read_in


class WideEmbedder(HashEmbedder):
    """Vectors of another dimension."""

    model = "wide"
    dimension = 40

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        return [vector.repeat(3)[:40] for vector in super().embed_batch(texts)]


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def begin(name: str = "wide") -> EmbeddingSpace:
    return space_begin(name=name, provider="other", model="wide", dimension=40).space


def build(space: EmbeddingSpace, embedder: HashEmbedder | None = None) -> SpaceBuild:
    ended = space_build_run(space_id=space.pk, embedder_for=embedder or WideEmbedder())
    assert ended is not None
    return ended


def states() -> dict[str, str]:
    return dict(EmbeddingSpace.objects.values_list("name", "state"))


def test_every_chunk_gets_a_vector_and_the_active_space_stays_until_it_is_switched(space: EmbeddingSpace) -> None:
    read_in(document_make("Live"), paragraphs("One", "Two"), publish=True)
    read_in(document_make("Draft"), paragraphs("Three"))
    wide = begin()
    embedder = WideEmbedder()

    ended = build(wide, embedder)

    assert (ended.state, ended.done, ended.total) == ("done", Chunk.objects.count(), Chunk.objects.count())
    assert vectors_published(wide) == 2
    assert embedder.embedded[:3] == [f"{chunk.prefix}\n{chunk.text}" for chunk in Chunk.objects.order_by("pk")[:3]]
    assert len(embedder.embedded) == 3 + len(off_topic_questions())
    assert states() == {"test": "active", "wide": "building"}

    space_switch(space=wide)

    assert states() == {"test": "retired", "wide": "active"}
    assert EmbeddingSpace.objects.get(name="wide").coverage is not None


def test_switching_to_an_incomplete_space_completes_it_first(space: EmbeddingSpace) -> None:
    read_in(document_make(), paragraphs("One"), publish=True)
    wide = begin()
    space_switch(space=wide)
    assert states() == {"test": "active", "wide": "building"}

    build(wide)

    assert states() == {"test": "retired", "wide": "active"}


def test_the_way_back_gives_the_old_space_what_came_meanwhile(space: EmbeddingSpace) -> None:
    read_in(document_make("Before"), paragraphs("One"), publish=True)
    wide = begin()
    space_switch(space=wide)
    build(wide)
    # The old space's embedder is away while a document comes.
    broken = HashEmbedder(fails_after=0)
    meanwhile = document_make("Meanwhile")
    read_in(meanwhile, paragraphs("Two"), embedder=lambda one: broken if one == space else WideEmbedder(), publish=True)  # type: ignore[arg-type]
    assert (chunks_missing(space), chunks_missing(wide)) == (1, 0)

    space_switch(space=space)
    assert states()["wide"] == "active"
    build(space, HashEmbedder())

    assert states() == {"test": "active", "wide": "retired"}
    assert chunks_missing(space) == 0


def test_a_build_pauses_after_a_batch_and_goes_on_where_it_stopped(
    space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.reembedding.BATCH", 2)
    read_in(document_make(), paragraphs(*map(str, range(6))), publish=True)
    wide = begin()

    class Pausing(WideEmbedder):
        def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
            space_pause(space=wide)
            return super().embed_batch(texts)

    paused = build(wide, Pausing())
    assert (paused.state, paused.done, paused.total) == ("paused", 2, 6)
    with pytest.raises(InvalidSpace, match="not being built"):
        space_pause(space=wide)
    assert build(wide).state == "paused"

    space_build(space=wide)
    embedder = WideEmbedder()
    assert build(wide, embedder).state == "done"
    assert len([text for text in embedder.embedded if text not in off_topic_questions()]) == 4


def test_a_provider_that_is_away_is_waited_for(space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.reembedding.BATCH", 2)
    read_in(document_make(), paragraphs(*map(str, range(6))), publish=True)
    wide = begin()

    waiting = build(wide, WideEmbedder(fails_after=2))
    assert (waiting.state, waiting.done) == ("running", 2)
    assert waiting.reason == "Waiting: The embedding service does not answer."

    assert spaces_sweep() == [wide.pk]
    assert build(wide).state == "done"


def test_a_space_that_nothing_here_embeds_for_fails_with_its_reason(space: EmbeddingSpace) -> None:
    wide = begin()

    def missing(one: EmbeddingSpace) -> HashEmbedder:
        raise EmbedderMissing(f"Nothing embeds for {one}.")

    ended = space_build_run(space_id=wide.pk, embedder_for=missing)

    assert ended is not None
    assert (ended.state, ended.reason) == ("failed", "Nothing embeds for wide.")
    assert spaces_sweep() == []


def test_what_changes_under_a_build_is_never_left_with_a_wrong_vector(
    space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.reembedding.BATCH", 3)
    kept, gone = document_make("Kept"), document_make("Gone")
    drafted, withdrawn = document_make("Drafted"), document_make("Withdrawn")
    for document in (kept, gone, drafted, withdrawn):
        read_in(document, paragraphs(document.title), publish=document is not drafted)
    wide = begin()

    class Meddling(WideEmbedder):
        def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
            if not self.embedded:
                document_delete(document=gone)
                document_publish(document=drafted)
                document_withdraw(document=withdrawn)
                document_update(document=kept, title="Renamed")
                renamed = kept.ingestions.get(state="received")
                ingestion_run(
                    ingestion_id=renamed.pk, embedder_for=lambda one: HashEmbedder() if one == space else self.away
                )
            return super().embed_batch(texts)

        away = HashEmbedder(fails_after=0)

    embedder = Meddling()
    assert build(wide, embedder).state == "done"

    assert chunks_missing(wide) == 0
    assert vectors_published(wide) == vectors_published(space) == 2
    (chunk,) = kept.chunks.all()
    assert chunk.prefix.startswith("Renamed")
    assert f"{chunk.prefix}\n{chunk.text}" in embedder.embedded


def test_a_changed_text_loses_its_vector_where_no_new_one_came(space: EmbeddingSpace) -> None:
    document = document_make("First title")
    read_in(document, paragraphs("One"), publish=True)
    wide = begin()
    build(wide)
    broken = HashEmbedder(fails_after=0)

    document_update(document=document, title="Second title")
    again = document.ingestions.get(state="received")
    ingestion_run(ingestion_id=again.pk, embedder_for=lambda one: HashEmbedder() if one == space else broken)

    assert (chunks_missing(space), chunks_missing(wide)) == (0, 1)


def test_the_active_space_is_neither_built_nor_dropped_and_a_dropped_one_is_gone(space: EmbeddingSpace) -> None:
    for refused in (space_build, space_drop):
        with pytest.raises(InvalidSpace, match="active space"):
            refused(space=space)
    wide = begin()
    space_drop(space=wide)
    assert states() == {"test": "active"}
    with pytest.raises(InvalidSpace, match="no such space"):
        space_switch(space=wide)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"dimension": 3_072}, "1 to 2,000 dimensions"),
        ({"name": "test"}, "already exists"),
        ({"recipe": 7}, "no recipe 7"),
    ],
    ids=["dimension", "name", "recipe"],
)
def test_a_space_that_cannot_be_is_refused_in_a_sentence(
    space: EmbeddingSpace, asked: dict[str, object], said: str
) -> None:
    usual: dict[str, object] = {"name": "wide", "provider": "other", "model": "wide", "dimension": 40}
    with pytest.raises(InvalidSpace, match=said):
        space_begin(**(usual | asked))  # type: ignore[arg-type]
    assert states() == {"test": "active"}


@pytest.mark.django_db(transaction=True)
def test_only_one_worker_builds_a_space_and_a_lost_one_leaves_it_free(committed_library: object) -> None:
    wide = begin()
    held, leave = Event(), Event()

    def hold() -> None:
        with alone_on(wide.pk) as ours:
            assert ours
            held.set()
            leave.wait(30)
        connections.close_all()

    other = Thread(target=hold)
    other.start()
    assert held.wait(30)
    assert build(wide).state == "running"
    leave.set()
    other.join()
    assert build(wide).state == "done"


@pytest.mark.django_db(transaction=True)
def test_a_switch_waits_for_the_swap_that_is_under_way(committed_library: object) -> None:
    wide = begin()
    build(wide)
    swap_open, leave = Event(), Event()

    def swap_slowly() -> None:
        with transaction.atomic():
            swapping()
            swap_open.set()
            leave.wait(30)
        connections.close_all()

    other = Thread(target=swap_slowly)
    other.start()
    assert swap_open.wait(30)
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute("SET LOCAL lock_timeout = '100ms'")
        with pytest.raises(Exception, match="lock timeout"), transaction.atomic():
            space_switch(space=wide)
    assert states()["wide"] == "building"
    leave.set()
    other.join()
    space_switch(space=wide)
    assert states()["wide"] == "active"


def test_questions_are_answered_by_the_space_their_vector_belongs_to(
    space: EmbeddingSpace, search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in(document_make(), paragraphs("One", "Two"), publish=True)
    (first, _) = Chunk.objects.order_by("ordinal")
    text = f"{first.prefix}\n{first.text}"
    old = QueryVector("test", vector_of(text))
    wide = begin()
    space_switch(space=wide)
    build(wide)
    embedder = QueryEmbedder(_active, lambda _: WideEmbedder())

    async def ask() -> list[float]:
        new = await embedder.embed_query([(text, 1.0)])
        assert new.space == "wide"
        return [*await search.probe([old]), *await search.probe([new])]

    assert asyncio.run(ask()) == [pytest.approx(1), pytest.approx(1)]


async def _active() -> EmbeddingSpace:
    return EmbeddingSpace(name="wide")
