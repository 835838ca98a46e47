import pytest
from django.db import IntegrityError

from corpus.models import Chunk, Document, Ingestion
from corpus.taxonomy import Authority, ContentType, scope_of
from tests.corpus.reading_in import document_make


def chunk(document: Document, **fields: object) -> Chunk:
    labels = {"ordinal": 0, "text": "Text.", "content_hash": "a", "embed_hash": "b", "tokens": 3}
    return Chunk(document=document, **labels | fields)


@pytest.mark.parametrize(
    "fields",
    [{"text": ""}, {"text": "x" * 1_601}, {"tokens": 241}],
    ids=["no text", "too many characters", "too many tokens"],
)
def test_a_chunk_that_is_too_much_or_nothing_cannot_be_stored(db: None, fields: dict[str, object]) -> None:
    with pytest.raises(IntegrityError):
        chunk(document_make(), **fields).save()


def test_a_document_has_one_open_ingestion(db: None) -> None:
    document = document_make()
    Ingestion.objects.create(document=document, file="a", file_name="a", checksum="a", state="ready")

    with pytest.raises(IntegrityError):
        Ingestion.objects.create(document=document, file="b", file_name="b", checksum="b", state="received")


def test_a_failure_has_a_reason(db: None) -> None:
    with pytest.raises(IntegrityError):
        Ingestion.objects.create(document=document_make(), file="a", file_name="a", checksum="a", state="failed")


@pytest.mark.parametrize("status", [Document.Status.DRAFT, Document.Status.WITHDRAWN])
def test_only_a_published_document_has_a_scope(status: str) -> None:
    document = Document(authority="primary", content_type="quote", status=status)

    assert document.scope is None
    document.status = Document.Status.PUBLISHED
    assert document.scope == scope_of(Authority.PRIMARY, ContentType.QUOTE)
