"""Taking a whole file into the library: the document it belongs to is found or made, then the file is read in."""

from dataclasses import dataclass
from hashlib import sha256

from django.core.files.base import ContentFile
from django.db import transaction

from corpus.ingestion.clean import one_line
from corpus.ingestion.isolation import about_isolated
from corpus.ingestion.reading import About, check_format
from corpus.intake import read_limits
from corpus.models import Document, Ingestion
from corpus.services import check_size, document_create, document_publish, document_update, ingestion_start


@dataclass(frozen=True, slots=True)
class Labels:
    """What an editor says about a file."""

    authority: str
    content_type: str
    title: str = ""
    """Empty: what the file calls itself, else its name."""
    language: str = ""
    creator: str = ""
    rights_note: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """The ingestion of a file, and whether the library knew the file already."""

    ingestion: Ingestion
    known: bool


def file_take(*, name: str, data: bytes, labels: Labels, publish: bool = False, relabel: bool = True) -> Taken:
    """Have a file read in. Raises UnreadableFile, InvalidDocument.

    A file that the library holds already is not read in twice: its document is given these labels, or with `relabel`
    false left as it is. One that failed is tried again in its document.
    """
    check_format(name)
    check_size(len(data))
    checksum = sha256(data).hexdigest()
    # Before the transaction, which is not to be held open while a long book is read.
    about = About("") if _known(checksum) else about_isolated(name, data, read_limits())
    with transaction.atomic():
        known = _known(checksum)
        if known is None:
            document = document_create(
                title=labels.title or about.title or one_line(name),
                authority=labels.authority,
                content_type=labels.content_type,
                language=labels.language or about.language or "en",
                creator=labels.creator or about.creator,
                rights_note=labels.rights_note,
            )
        else:
            document = known.document
            if relabel:
                document = document_update(document=document, **_changes(labels))
            if known.state == Ingestion.State.LIVE or known.is_open:
                if publish and relabel:
                    document_publish(document=document)
                known.refresh_from_db()
                return Taken(known, known=True)
        file = ContentFile(data, name=name)
        return Taken(ingestion_start(document=document, file=file, publish=publish), known=known is not None)


def _known(checksum: str) -> Ingestion | None:
    """The ingestion of this very file that stands for it: a live one first, then one at work, then one that failed."""
    for states in ((Ingestion.State.LIVE,), Ingestion.OPEN_STATES, (Ingestion.State.FAILED,)):
        found = Ingestion.objects.filter(checksum=checksum, state__in=states).exclude(
            document__status=Document.Status.WITHDRAWN
        )
        if (ingestion := found.select_related("document").first()) is not None:
            return ingestion
    return None


def _changes(labels: Labels) -> dict[str, str]:
    changes = {"authority": labels.authority, "content_type": labels.content_type}
    for name in ("title", "language", "creator", "rights_note"):
        if value := getattr(labels, name):
            changes[name] = value
    return changes
