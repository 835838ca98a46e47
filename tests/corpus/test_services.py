from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from corpus.errors import DocumentNotFound, InvalidDocument, UnreadableFile
from corpus.models import Chunk, CorpusStatistics, Document, EmbeddingSpace, Posting
from corpus.models.spaces import vectors_published
from corpus.services import (
    document_create,
    document_delete,
    document_publish,
    document_update,
    document_withdraw,
    ingestion_run,
    ingestion_start,
    spaces_ensure,
)
from corpus.taxonomy import Authority, ContentType, scope_of
from tests.corpus.reading_in import HashEmbedder, document_make, file_give, paragraphs, read_in

FRAMEWORK = scope_of(Authority.PRIMARY, ContentType.FRAMEWORK)
TEXT = paragraphs("One", "Two")


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


def scopes(document: Document) -> set[int | None]:
    return set(Posting.objects.filter(chunk__document=document).values_list("scope", flat=True))


def test_the_default_space_is_made_once(db: None) -> None:
    first, again = spaces_ensure(), spaces_ensure()

    assert first == again
    assert (first.name, first.dimension, first.state) == ("minilm-1", 384, "active")


def test_a_title_is_cleaned(db: None) -> None:
    assert document_make(" A\x00 <b>title</b>\n ").title == "A <b>title</b>"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " \x00 "),
        ("title", "x" * 301),
        ("authority", "secondary"),
        ("content_type", "poem"),
        ("language", "e\x00n"),
        ("rights_note", "caf\udce9"),
    ],
)
def test_a_document_that_cannot_be_is_refused_by_name_of_the_field(db: None, field: str, value: str) -> None:
    labels: dict[str, Any] = {"title": "Guide", "authority": "primary", "content_type": "framework", field: value}

    with pytest.raises(InvalidDocument, match=field):
        document_create(**labels)


def test_a_draft_has_its_chunks_but_nobody_finds_them(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT)

    assert document.chunks.count() == 2
    assert scopes(document) == {None}
    assert vectors_published(space) == 0


def test_publishing_lets_it_be_found_and_withdrawing_hides_it_at_once(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT)

    published = document_publish(document=document)
    assert (published.status, scopes(document), vectors_published(space)) == ("published", {FRAMEWORK}, 2)

    withdrawn = document_withdraw(document=document)
    assert (withdrawn.status, scopes(document), vectors_published(space)) == ("withdrawn", {None}, 0)
    assert document.chunks.count() == 2


def test_nothing_to_publish_is_said(space: EmbeddingSpace) -> None:
    with pytest.raises(InvalidDocument, match="nothing to publish yet"):
        document_publish(document=document_make())


def test_publishing_while_a_file_is_read_in_publishes_it_when_it_is(space: EmbeddingSpace) -> None:
    document = document_make()
    ingestion = file_give(document, TEXT)

    document_publish(document=document)
    ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())

    document.refresh_from_db()
    assert document.status == "published"


def test_another_label_moves_vectors_and_postings(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT, publish=True)

    document_update(document=document, authority="illustrative", content_type="example")

    assert scopes(document) == {scope_of(Authority.ILLUSTRATIVE, ContentType.EXAMPLE)}


def test_another_title_is_found_at_once_and_embedded_anew_by_a_worker(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT, publish=True)
    rows = set(document.chunks.values_list("pk", flat=True))
    embedder = HashEmbedder()

    document_update(document=document, title="Compass")
    assert Posting.objects.filter(chunk__document=document, lexeme="english:compass").count() == 2
    ingestion_run(ingestion_id=document.ingestions.get(state="received").pk, embedder_for=embedder)

    assert set(document.chunks.values_list("pk", flat=True)) == rows
    assert {text.split("\n")[0] for text in embedder.embedded} == {"Compass"}
    assert set(document.chunks.values_list("prefix", flat=True)) == {"Compass"}


def test_a_field_that_may_not_be_changed_is_refused(db: None) -> None:
    with pytest.raises(InvalidDocument, match="status"):
        document_update(document=document_make(), status="published")


def test_every_edit_stands_in_the_history(db: None) -> None:
    document = document_make()

    document_update(document=document, creator="Ann")

    assert list(document.history.values_list("creator", flat=True)) == ["Ann", ""]


def test_changes_of_published_chunks_are_counted(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT, publish=True)
    document_delete(document=document)

    assert CorpusStatistics.objects.get().changes == 4


@pytest.mark.parametrize("in_bulk", [False, True])
def test_a_deleted_document_leaves_nothing_behind(
    space: EmbeddingSpace,
    tmp_path: Path,
    in_bulk: bool,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    document = document_make()
    read_in(document, TEXT, publish=True)

    with django_capture_on_commit_callbacks(execute=True):
        if in_bulk:
            Document.objects.filter(pk=document.pk).delete()
        else:
            document_delete(document=document)

    assert not Chunk.objects.exists()
    assert not Posting.objects.exists()
    assert vectors_published(space) == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_file_that_two_readings_share_stays_until_the_last_goes(
    space: EmbeddingSpace, tmp_path: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    document = document_make()
    read_in(document, TEXT, publish=True)
    document_update(document=document, title="Compass")

    with django_capture_on_commit_callbacks(execute=True):
        document.ingestions.get(state="live").delete()

    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_what_was_deleted_cannot_be_changed(space: EmbeddingSpace) -> None:
    document = document_make()
    document_delete(document=Document.objects.get(pk=document.pk))

    with pytest.raises(DocumentNotFound):
        document_withdraw(document=document)


def test_a_format_that_cannot_be_read_is_refused_at_once(db: None) -> None:
    with pytest.raises(UnreadableFile, match=r"\.exe cannot be read"):
        file_give(document_make(), TEXT, name="guide.exe")


def test_the_live_file_is_not_read_in_again(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT)

    with pytest.raises(InvalidDocument, match="This very file"):
        file_give(document, TEXT)


def test_a_file_that_failed_or_belongs_to_another_document_is_welcome(space: EmbeddingSpace) -> None:
    document = document_make()
    assert read_in(document, " \n ").state == "failed"
    read_in(document_make("Another"), TEXT)

    assert read_in(document, " \n ").state == "failed"
    assert read_in(document, TEXT).state == "live"


def test_after_a_deletion_the_same_file_is_welcome(space: EmbeddingSpace) -> None:
    document = document_make()
    read_in(document, TEXT)
    document_delete(document=document)

    assert read_in(document_make(), TEXT).state == "live"


def test_a_newer_file_takes_the_place_of_one_still_at_work(space: EmbeddingSpace) -> None:
    document = document_make()
    older = file_give(document, TEXT)
    newer = file_give(document, paragraphs("Three"))

    older.refresh_from_db()
    assert older.state == "superseded"
    assert ingestion_run(ingestion_id=older.pk, embedder_for=HashEmbedder()) == older
    assert newer.state == "received"
    assert not document.chunks.exists()


def test_a_file_too_large_is_refused(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.services.MAX_FILE_BYTES", 3)

    with pytest.raises(InvalidDocument, match="too large"):
        ingestion_start(document=document_make(), file=ContentFile(b"long", name="a.txt"))
