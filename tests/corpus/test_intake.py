import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from corpus.errors import EmbedderMissing
from corpus.intake import BATCH, ingestion_run
from corpus.leases import lease_take
from corpus.models import (
    Chunk,
    Concept,
    Document,
    EmbeddingSpace,
    Ingestion,
    Mention,
    Relationship,
    RelationshipKind,
    StagedChunk,
)
from corpus.models.spaces import space_create
from corpus.services import document_delete, document_publish, ingestions_sweep
from tests.corpus.reading_in import DIMENSION, HashEmbedder, document_make, file_give, paragraphs, read_in


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


MANY = paragraphs(*(f"Part {number}" for number in range(BATCH + 8)))


def rows(document: Document) -> dict[str, int]:
    """Chunk ids by heading."""
    return {chunk.heading_path[-1]: chunk.pk for chunk in document.chunks.all()}


def lose_worker(ingestion: Ingestion) -> None:
    """As if its worker had been killed a lease time ago."""
    Ingestion.objects.filter(pk=ingestion.pk).update(lease_owner=uuid.uuid4(), lease_until=Now() - timedelta(seconds=1))


def run(ingestion: Ingestion, embedder: HashEmbedder | None = None) -> Ingestion:
    ended = ingestion_run(ingestion_id=ingestion.pk, embedder_for=embedder or HashEmbedder())
    assert ended is not None
    return ended


def test_chunks_stand_in_order_with_their_places_and_hashes(space: EmbeddingSpace) -> None:
    document = document_make()
    ended = read_in(document, paragraphs("One", "Two", "Three"))

    assert (ended.state, ended.done, ended.total, ended.lease_owner) == ("live", 3, 3, None)
    assert list(document.chunks.values_list("ordinal", "heading_path")) == [(0, ["One"]), (1, ["Two"]), (2, ["Three"])]
    assert all(chunk.length and chunk.tokens for chunk in document.chunks.all())
    assert not StagedChunk.objects.exists()


def test_an_unchanged_chunk_keeps_its_row_and_proof(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two", "Three"))
    before = rows(document)
    one, two = (Concept.objects.create(name=name) for name in ("One thing", "Another"))
    kind = RelationshipKind.objects.create(slug="helps", label="helps")
    proven = Relationship.objects.create(source=one, target=two, kind=kind, proof_id=before["Three"])
    embedder = HashEmbedder()

    read_in(document, paragraphs("Zero", "One", "Three"), embedder)

    after = rows(document)
    assert list(after) == ["Zero", "One", "Three"]
    assert (after["One"], after["Three"]) == (before["One"], before["Three"])
    assert not Chunk.objects.filter(pk=before["Two"]).exists()
    assert len(embedder.embedded) == 1
    proven.refresh_from_db()
    assert proven.proof_id == before["Three"]


def test_equal_chunks_of_one_document_are_all_kept(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "One"))
    before = set(document.chunks.values_list("pk", flat=True))

    read_in(document, paragraphs("One", "One", "One"))

    assert before < set(document.chunks.values_list("pk", flat=True))
    assert document.chunks.count() == 3


def test_concepts_that_a_new_chunk_names_are_mentioned(space: EmbeddingSpace) -> None:
    concept = Concept.objects.create(name="Small experiment")
    read_in(document_make(), "A small experiment, and another Small Experiment.")

    assert list(Mention.objects.values_list("concept", "count")) == [(concept.pk, 2)]


def test_a_new_text_of_a_published_document_waits_for_the_editor(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, paragraphs("One"), publish=True)

    ended = read_in(document, paragraphs("Two"))
    assert ended.state == "ready"
    assert list(rows(document)) == ["One"]

    document_publish(document=document)
    assert list(rows(document)) == ["Two"]
    assert set(document.ingestions.values_list("state", flat=True)) == {"live", "superseded"}


def test_a_file_of_a_format_of_its_own_process_is_read_in(space: EmbeddingSpace) -> None:
    document = document_make()
    ended = run(file_give(document, "<h1>Bees</h1><p>Wild bees like sand.</p>", name="bees.html"))

    assert (ended.state, list(document.chunks.values_list("heading_path", "text"))) == (
        "live",
        [(["Bees"], "Bees\n\nWild bees like sand.")],
    )


def test_a_file_that_its_process_refuses_fails_with_the_reader_s_sentence(space: EmbeddingSpace) -> None:
    ended = run(file_give(document_make(), "no pdf", name="a.pdf"))
    assert (ended.state, ended.permanent) == ("failed", True)
    assert ended.reason == "The PDF is broken: it cannot be opened. Please export it anew."


def test_reading_is_bounded_by_the_settings(space: EmbeddingSpace, settings: Settings) -> None:
    settings.INGESTION_READ_SECONDS = 0.001
    assert "took too long" in run(file_give(document_make(), "<p>Text.</p>", name="a.html")).reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [(" \n\n ", "There is no text in the file."), ("%PDF-1.7", "The file is not text, whatever its name says.")],
)
def test_an_unreadable_file_fails_for_good_with_a_reason(space: EmbeddingSpace, text: str, reason: str) -> None:
    embedder = HashEmbedder()
    ended = read_in(document_make(), text, embedder)

    assert (ended.state, ended.reason, ended.permanent) == ("failed", reason, True)
    assert embedder.embedded == []


def test_an_embedder_that_does_not_answer_is_waited_for_and_nothing_is_embedded_twice(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, MANY)

    waiting = run(ingestion, HashEmbedder(fails_after=BATCH))
    assert (waiting.state, waiting.done, waiting.attempts) == ("embedding", BATCH, 0)
    assert waiting.reason == "Waiting: The embedding service does not answer."
    assert not document.chunks.exists()

    embedder = HashEmbedder()
    assert run(ingestion, embedder).state == "live"
    assert len(embedder.embedded) == document.chunks.count() - BATCH


def test_a_missing_model_fails_with_what_to_install(space: EmbeddingSpace) -> None:
    def missing(_space: object) -> HashEmbedder:
        raise EmbedderMissing("Install it.")

    ended = ingestion_run(ingestion_id=file_give(document_make(), "Text.").pk, embedder_for=missing)

    assert ended is not None
    assert (ended.state, ended.reason, ended.permanent) == ("failed", "Install it.", False)


def test_another_space_that_fails_delays_nothing(space: EmbeddingSpace) -> None:
    building = space_create(name="second", provider="other", model="m", dimension=DIMENSION, state="building")

    def only_first(one: EmbeddingSpace) -> HashEmbedder:
        return HashEmbedder(fails_after=0 if one == building else None)

    ended = ingestion_run(ingestion_id=file_give(document_make(), "Text.").pk, embedder_for=only_first)

    assert ended is not None
    assert ended.state == "live"


def test_every_space_gets_its_vectors(space: EmbeddingSpace) -> None:
    space_create(name="second", provider="other", model="m", dimension=DIMENSION, state="building")
    embedder = HashEmbedder()

    read_in(document_make(), "Text.", embedder)

    assert len(embedder.embedded) == 2


def test_one_that_another_worker_has_is_left_alone(space: EmbeddingSpace) -> None:
    ingestion = file_give(document_make(), "Text.")
    assert lease_take(ingestion.pk) is not None

    assert run(ingestion).state == "received"


def test_a_worker_that_lost_its_lease_writes_nothing_more(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, MANY)

    class Robbed(HashEmbedder):
        def embed_batch(self, texts):  # type: ignore[no-untyped-def]
            if not self.embedded:
                lose_worker(ingestion)
                self.embedded.append("")
                run(ingestion)
            return super().embed_batch(texts)

    robbed = Robbed()
    assert run(ingestion, robbed).state == "live"
    assert document.chunks.count() == BATCH + 8
    assert len(robbed.embedded) == 1 + BATCH


def test_a_document_deleted_meanwhile_is_left_without_a_word(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, MANY)

    class Deleting(HashEmbedder):
        def embed_batch(self, texts):  # type: ignore[no-untyped-def]
            document_delete(document=document)
            return super().embed_batch(texts)

    assert ingestion_run(ingestion_id=ingestion.pk, embedder_for=Deleting()) is None


def test_what_a_lost_worker_left_is_queued_again(space: EmbeddingSpace) -> None:
    ingestion = file_give(document_make(), "Text.")
    assert ingestions_sweep() == []

    lose_worker(ingestion)
    assert ingestions_sweep() == [ingestion.pk]
    assert ingestions_sweep() == []
    assert run(ingestion).state == "live"


def test_a_file_that_costs_worker_after_worker_is_given_up(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, "Text.")
    for _ in range(3):
        assert lease_take(ingestion.pk) is not None
        lose_worker(ingestion)

    assert ingestions_sweep() == []
    ingestion.refresh_from_db()
    assert ingestion.state == "failed"
    assert ingestion.reason.startswith("The worker was lost 3 times")


def test_an_unexpected_fault_fails_with_a_reason_and_reaches_the_log(space: EmbeddingSpace) -> None:
    ingestion = file_give(document_make(), "Text.")

    class Broken(HashEmbedder):
        def embed_batch(self, texts):  # type: ignore[no-untyped-def]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(ingestion, Broken())
    ingestion.refresh_from_db()
    assert (ingestion.state, ingestion.permanent) == ("failed", False)
    assert "unexpected fault" in ingestion.reason
