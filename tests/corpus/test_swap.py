from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from corpus.models import Chunk, EmbeddingSpace
from corpus.models.spaces import space_create, vectors_published
from corpus.services import ingestion_run
from corpus.swap import difference, match_chunks
from tests.corpus.reading_in import DIMENSION, HashEmbedder, document_make, file_give, paragraphs, read_in


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def test_a_space_activated_meanwhile_gets_its_vectors_before_the_swap(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, paragraphs("One", "Two"), publish=True)

    class Switching(HashEmbedder):
        def embed_batch(self, texts):  # type: ignore[no-untyped-def]
            if not self.embedded:
                EmbeddingSpace.objects.update(state="retired")
                space_create(name="second", provider="other", model="m", dimension=DIMENSION, state="active")
            return super().embed_batch(texts)

    ended = ingestion_run(ingestion_id=ingestion.pk, embedder_for=Switching())

    assert ended is not None
    assert ended.state == "live"
    assert vectors_published(EmbeddingSpace.objects.get(name="second")) == 2


def test_a_swap_that_fails_leaves_the_old_chunks_whole(space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two"), publish=True)
    before = list(document.chunks.values_list("pk", "ordinal", "text"))

    def broken(**_changes: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("corpus.swap.mentions_link", broken)
    ingestion = file_give(document, paragraphs("Two", "Three"), publish=True)
    with pytest.raises(ZeroDivisionError):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())

    assert list(document.chunks.values_list("pk", "ordinal", "text")) == before
    assert vectors_published(space) == 2


def test_a_difference_counts_new_unchanged_and_gone(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two"), publish=True)
    ready = read_in(document, paragraphs("Two", "Three", "Four"))

    found = difference(ready)

    assert (found.new, found.unchanged, found.gone) == (2, 1, 1)


def test_each_live_chunk_serves_once() -> None:
    live = [Chunk(ordinal=0, content_hash="a"), Chunk(ordinal=1, content_hash="a")]
    staged = [Chunk(content_hash=content) for content in ("b", "a", "a", "a")]

    assert match_chunks(live, staged) == [None, live[0], live[1], None]  # type: ignore[arg-type]


def test_ordinals_are_set_anew_in_any_order(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two", "Three"))

    read_in(document, paragraphs("Three", "One", "Two"))

    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert list(document.chunks.values_list("ordinal", "heading_path")) == [(0, ["Three"]), (1, ["One"]), (2, ["Two"])]
