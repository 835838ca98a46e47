"""What is read of the library outside of searching it."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from corpus.errors import DocumentNotFound
from corpus.models import (
    Chunk,
    Document,
    EmbeddingSpace,
    GraphChange,
    GraphGeneration,
    GraphStanding,
    Ingestion,
    Persona,
)


def document_published(*, document_id: UUID) -> Document:
    """A document that members may see. Raises DocumentNotFound, for drafts and withdrawn ones too."""
    document = Document.objects.filter(id=document_id, status=Document.Status.PUBLISHED).first()
    if document is None:
        raise DocumentNotFound
    return document


def chunk_published(*, document: Document, chunk_id: UUID) -> Chunk:
    """A chunk of this published document, by its public id. Raises DocumentNotFound."""
    chunk = Chunk.objects.filter(document=document, public_id=chunk_id).first()
    if chunk is None:
        raise DocumentNotFound("There is no such chunk in this document.")
    return chunk


def space_list() -> QuerySet[EmbeddingSpace]:
    """Every embedding space with how far it is built, the oldest first."""
    return EmbeddingSpace.objects.select_related("build").order_by("pk")


def chunk_after(chunk: Chunk) -> Chunk | None:
    """The chunk that follows this one in its document; None after the last."""
    return Chunk.objects.filter(document=chunk.document_id, ordinal=chunk.ordinal + 1).first()


def persona_list() -> QuerySet[Persona]:
    """Every persona, by name."""
    return Persona.objects.order_by("name")


def ingestion_get(*, ingestion_id: UUID) -> Ingestion | None:
    """An ingestion with its document as it stands now; None when it was deleted."""
    return Ingestion.objects.select_related("document").filter(pk=ingestion_id).first()


def workers_seen() -> bool:
    """Whether a worker holds an ingestion at the moment."""
    return Ingestion.objects.filter(lease_owner__isnull=False, lease_until__gt=Now()).exists()


@dataclass(frozen=True, slots=True)
class GraphState:
    """How the graph store stands towards the record, for editors and operators."""

    configured: bool
    generation: int | None
    waiting: int
    standing: GraphStanding


def graph_state() -> GraphState:
    """How the graph store stands now."""
    current = GraphGeneration.objects.filter(state=GraphGeneration.State.CURRENT).first()
    return GraphState(
        configured=bool(settings.NEO4J[0]),
        generation=current.pk if current else None,
        waiting=GraphChange.objects.count(),
        standing=GraphStanding.objects.first() or GraphStanding(),
    )
