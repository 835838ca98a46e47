"""Writing to the library: documents, and the files that are read into them."""

from datetime import date
from hashlib import sha256
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import transaction

from corpus.embeddings import LocalEmbedder
from corpus.errors import DocumentNotFound, InvalidDocument
from corpus.graph.changes import changes_announce
from corpus.ingestion.clean import one_line
from corpus.ingestion.reading import check_format
from corpus.intake import ingestion_run
from corpus.models import Document, EmbeddingSpace, Ingestion
from corpus.models.spaces import space_create, vectors_rescope
from corpus.postings import postings_rescope, postings_write, statistics_changed
from corpus.queueing import begin_anew, ingestions_sweep, queue
from corpus.swap import swap

__all__ = [
    "check_size",
    "document_create",
    "document_delete",
    "document_publish",
    "document_update",
    "document_withdraw",
    "ingestion_retry",
    "ingestion_run",
    "ingestion_start",
    "ingestions_sweep",
    "spaces_ensure",
]

DEFAULT_SPACE = "minilm-1"
MAX_FILE_BYTES = 100 * 1024 * 1024
EDITABLE = ("title", "creator", "authority", "content_type", "language", "source_url", "rights_note", "review_by")


def spaces_ensure() -> EmbeddingSpace:
    """The active space; the default one is made when there is none."""
    with transaction.atomic():
        active = EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.ACTIVE).first()
        return active or space_create(
            name=DEFAULT_SPACE,
            provider="local",
            model=LocalEmbedder.model,
            dimension=LocalEmbedder.dimension,
            state=EmbeddingSpace.State.ACTIVE,
        )


def document_create(
    *,
    title: str,
    authority: str,
    content_type: str,
    language: str = "en",
    creator: str = "",
    source_url: str = "",
    rights_note: str = "",
    review_by: date | None = None,
    is_sample: bool = False,
    by: Any = None,
) -> Document:
    """A new draft without a text. Raises InvalidDocument."""
    document = Document(
        title=one_line(title),
        authority=authority,
        content_type=content_type,
        language=language,
        creator=one_line(creator),
        source_url=source_url,
        rights_note=rights_note,
        review_by=review_by,
        is_sample=is_sample,
    )
    _save(document, by)
    return document


def document_update(*, document: Document, by: Any = None, **changes: Any) -> Document:
    """Change a document's fields, and what its chunks carry of them. Raises InvalidDocument, DocumentNotFound.

    A changed title is embedded anew by a worker; until then the old vectors answer.
    """
    if unknown := set(changes) - set(EDITABLE):
        raise InvalidDocument(f"Of a document these cannot be changed: {', '.join(sorted(unknown))}.")
    for name in ("title", "creator"):
        if name in changes:
            changes[name] = one_line(changes[name])
    with transaction.atomic():
        stored = _locked(document)
        before = (stored.title, stored.language, stored.scope)
        for name, value in changes.items():
            setattr(stored, name, value)
        _save(stored, by)
        _carry(stored, *before)
    return stored


def _carry(document: Document, title: str, language: str, scope: int | None) -> None:
    """Bring what stands on the chunks up to date with their document."""
    if document.scope != scope:
        _rescope(document)
    if (document.title, document.language) == (title, language):
        return
    chunks = list(document.chunks.all())
    postings_write(chunks, title=document.title, language=document.language, scope=document.scope)
    if document.title != title:
        _read_again(document)
    if document.scope is not None:
        statistics_changed(len(chunks))


def document_publish(*, document: Document, by: Any = None) -> Document:
    """Let members find a document: its text, and one that is ready or still read in. Raises InvalidDocument."""
    with transaction.atomic():
        stored = _locked(document)
        _edited_by(stored, by)
        opened = stored.ingestions.select_for_update().filter(state__in=Ingestion.OPEN_STATES).first()
        if opened is not None:
            opened.publish_when_ready = True
            opened.save(update_fields=["publish_when_ready"])
        if opened is not None and opened.state == Ingestion.State.READY:
            swap(stored, opened)
        elif stored.chunks.exists():
            _set_status(stored, Document.Status.PUBLISHED)
        elif opened is None:
            raise InvalidDocument("There is nothing to publish yet: no file has been read in.")
    return stored


def document_withdraw(*, document: Document, by: Any = None) -> Document:
    """Take a document out of every answer, at once. Its text stays."""
    with transaction.atomic():
        stored = _locked(document)
        _edited_by(stored, by)
        stored.ingestions.filter(state__in=Ingestion.OPEN_STATES).update(publish_when_ready=False)
        _set_status(stored, Document.Status.WITHDRAWN)
    return stored


def document_delete(*, document: Document, by: Any = None) -> None:
    """Delete a document with its chunks, vectors, postings and, once that is final, its files."""
    with transaction.atomic():
        stored = _locked(document)
        _edited_by(stored, by)
        published = stored.chunks.count() if stored.scope is not None else 0
        stored.delete()
        changes_announce()
        if published:
            statistics_changed(published)


def check_size(size: int) -> None:
    """Return when a file of so many bytes can be read in. Raises InvalidDocument."""
    if size > MAX_FILE_BYTES:
        raise InvalidDocument(f"The file is too large; up to {MAX_FILE_BYTES // 1024 // 1024} MB can be read.")


def ingestion_start(*, document: Document, file: "File[bytes]", publish: bool = False) -> Ingestion:
    """Store a file for a document and have a worker read it in. Raises UnreadableFile, InvalidDocument.

    It takes the place of one that is still at work or waiting to be published.
    """
    name = one_line((file.name or "").replace("\\", "/").rsplit("/", 1)[-1])
    check_format(name)
    check_size(file.size)
    checksum = sha256()
    for piece in file.chunks():
        checksum.update(piece)
    with transaction.atomic():
        stored = _locked(document)
        if stored.ingestions.filter(state=Ingestion.State.LIVE, checksum=checksum.hexdigest()).exists():
            raise InvalidDocument("This very file is already what the document is made of.")
        stored.ingestions.filter(state__in=Ingestion.OPEN_STATES).update(
            state=Ingestion.State.SUPERSEDED, lease_owner=None, lease_until=None
        )
        file.seek(0)
        ingestion = Ingestion(
            document=stored, file_name=name[-300:], checksum=checksum.hexdigest(), publish_when_ready=publish
        )
        ingestion.file.save(name[-120:], file, save=False)
        return queue(ingestion)


def ingestion_retry(*, ingestion: Ingestion) -> Ingestion:
    """Begin a failed ingestion anew. Raises InvalidDocument when it has not failed or a newer one is at work."""
    with transaction.atomic():
        document = _locked(ingestion.document)
        stored = document.ingestions.select_for_update().get(pk=ingestion.pk)
        if stored.state != Ingestion.State.FAILED:
            raise InvalidDocument("Only an ingestion that failed can be tried again.")
        if document.ingestions.filter(state__in=Ingestion.OPEN_STATES).exists():
            raise InvalidDocument("A newer file of this document is being read in.")
        return begin_anew(stored)


def _read_again(document: Document) -> None:
    """Have a document's file cut and embedded anew, since its title has changed."""
    opened = document.ingestions.filter(state__in=Ingestion.OPEN_STATES).first()
    live = document.ingestions.filter(state=Ingestion.State.LIVE).first()
    if opened is not None:
        begin_anew(opened)
    elif live is not None:
        # Its text is live already: what waits to be published is nothing but the new title's vectors.
        publish = document.status == Document.Status.PUBLISHED
        queue(
            Ingestion(
                document=document,
                file=live.file.name,
                file_name=live.file_name,
                checksum=live.checksum,
                publish_when_ready=publish,
            )
        )


def _rescope(document: Document) -> None:
    vectors_rescope(document.pk, document.scope)
    postings_rescope(document.pk, document.scope)
    statistics_changed(document.chunks.count())


def _set_status(document: Document, status: Document.Status) -> None:
    before = document.scope
    document.status = status
    document.save(update_fields=["status", "updated_at"])
    if document.scope != before:
        _rescope(document)
        changes_announce()


def _locked(document: Document) -> Document:
    """The document as it is now, held until the transaction ends. Raises DocumentNotFound."""
    stored = Document.objects.select_for_update().filter(pk=document.pk).first()
    if stored is None:
        raise DocumentNotFound
    return stored


def _edited_by(document: Document, by: Any) -> None:
    """Name the editor for the history; without one it is the request's user, if there is a request."""
    if by is not None:
        document._history_user = by  # type: ignore[attr-defined]


def _save(document: Document, by: Any) -> None:
    _edited_by(document, by)
    try:
        document.full_clean()
    except ValidationError as error:
        problems = "; ".join(f"{field}: {' '.join(found)}" for field, found in error.message_dict.items())
        raise InvalidDocument(problems) from error
    document.save()
