"""What the tests of reading files in share: documents, and files for them."""

from django.core.files.base import ContentFile

from corpus.models import Document, Ingestion
from corpus.services import document_create, ingestion_run, ingestion_start
from tests.corpus.hash_embedder import DIMENSION, HashEmbedder, vector_of

__all__ = ["DIMENSION", "HashEmbedder", "document_make", "file_give", "paragraphs", "read_in", "vector_of"]

PARAGRAPH = "It says something that is long enough to be read as a paragraph of its own. " * 6


def paragraphs(*names: str) -> str:
    """A Markdown text of one long paragraph under a heading each: a chunk or two a name."""
    return "\n\n".join(f"## {name}\n\n{name}. {PARAGRAPH}" for name in names)


def document_make(title: str = "Guide") -> Document:
    """A draft."""
    return document_create(title=title, authority="primary", content_type="framework")


def file_give(document: Document, text: str, *, name: str = "guide.md", publish: bool = False) -> Ingestion:
    """Upload a text for a document."""
    return ingestion_start(document=document, file=ContentFile(text.encode(), name=name), publish=publish)


def read_in(document: Document, text: str, embedder: HashEmbedder | None = None, *, publish: bool = False) -> Ingestion:
    """Upload a text and read it in."""
    ingestion = file_give(document, text, publish=publish)
    ended = ingestion_run(ingestion_id=ingestion.pk, embedder_for=embedder or HashEmbedder())
    assert ended is not None
    return ended
