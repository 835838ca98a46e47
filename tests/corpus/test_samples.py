from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.embeddings import token_counter
from corpus.ingestion.chunking import cut_chunks
from corpus.ingestion.reading import read_file
from corpus.models import Chunk, Concept, Document, EmbeddingSpace, Ingestion, Persona, Relationship
from corpus.samples import samples_load, samples_waiting
from corpus.samples.manifest import manifest
from corpus.services import document_delete, document_update, ingestion_run
from corpus.taxonomy import Authority
from tests.corpus.reading_in import HashEmbedder


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def work() -> None:
    for ingestion in Ingestion.objects.filter(state="received"):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())


def test_the_samples_become_a_library_with_a_proven_graph(space: EmbeddingSpace) -> None:
    samples_load()
    assert samples_waiting() == len(manifest().documents)

    work()
    samples_load()

    assert samples_waiting() == 0
    assert set(Document.objects.values_list("authority", flat=True)) == {authority.value for authority in Authority}
    assert set(Document.objects.values_list("status", flat=True)) == {"published"}
    assert not Relationship.objects.filter(proof=None).exists()
    assert not Concept.objects.filter(mentions=None).exists()
    assert Persona.objects.count() == len(manifest().personas)


def test_loading_again_changes_nothing_that_an_editor_changed(space: EmbeddingSpace) -> None:
    samples_load()
    work()
    renamed, deleted = Document.objects.order_by("title")[:2]
    document_update(document=renamed, title="Ours now")
    document_delete(document=deleted)
    Concept.objects.filter(name="Weak ties").delete()
    work()

    samples_load()

    assert samples_waiting() == 0
    assert Document.objects.count() == len(manifest().documents) - 1
    assert Document.objects.filter(title="Ours now").exists()
    assert not Concept.objects.filter(name="Weak ties").exists()


def test_a_sample_that_failed_is_tried_again(space: EmbeddingSpace) -> None:
    samples_load()
    Ingestion.objects.update(state="failed", reason="The model was missing.")

    samples_load()
    work()

    assert Chunk.objects.values("document").distinct().count() == len(manifest().documents)


@pytest.mark.parametrize("sample", manifest().documents, ids=lambda sample: sample.file)
def test_a_sample_says_that_it_is_one(sample) -> None:  # type: ignore[no-untyped-def]
    chunks = cut_chunks(read_file(sample.file, sample.read()).sections, title=sample.title, count=token_counter())

    assert "Sample text written for SecondAct" in chunks[-1].text
    assert "(sample)" in sample.title
    assert 150 <= sum(len(chunk.text.split()) for chunk in chunks) <= 500
