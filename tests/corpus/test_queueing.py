"""Sending for a worker once an upload is final, and sending again where one was lost."""

from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import Settings

from corpus import queueing
from corpus.errors import InvalidDocument
from corpus.models import EmbeddingSpace, Ingestion
from corpus.services import ingestion_retry, ingestion_run
from tests.corpus.reading_in import HashEmbedder, document_make, file_give, paragraphs, read_in

TEXT = paragraphs("One", "Two")


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def test_a_failed_ingestion_can_be_tried_again(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, TEXT)
    Path(ingestion.file.path).rename(Path(ingestion.file.path + ".away"))
    ended = ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())
    assert ended is not None
    assert ended.reason == "The uploaded file is gone from the storage; please upload it again."

    Path(ingestion.file.path + ".away").rename(ingestion.file.path)
    again = ingestion_retry(ingestion=ended)
    ended = ingestion_run(ingestion_id=again.pk, embedder_for=HashEmbedder())

    assert ended is not None
    assert (ended.state, ended.reason, ended.attempts) == ("live", "", 1)


def test_only_a_failed_ingestion_is_tried_again(space: EmbeddingSpace) -> None:
    ingestion = read_in(document_make(), TEXT)

    with pytest.raises(InvalidDocument, match="failed"):
        ingestion_retry(ingestion=ingestion)


@pytest.mark.django_db(transaction=True)
def test_the_worker_is_sent_for_once_the_upload_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(queueing, "_send", sent.append)

    with transaction.atomic():
        ingestion = file_give(document_make(), TEXT)
        assert sent == []
    assert sent == [ingestion.pk]


@pytest.mark.django_db(transaction=True)
def test_an_upload_that_is_rolled_back_sends_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(queueing, "_send", sent.append)

    with transaction.atomic():
        file_give(document_make(), TEXT)
        transaction.set_rollback(True)
    assert sent == []
    assert not Ingestion.objects.exists()
