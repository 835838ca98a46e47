"""Putting an ingestion's chunks in the place of a document's live ones, in one transaction: never both, never neither.

A chunk whose heading path and text are unchanged keeps its row, and with it vectors, proofs and mentions; only where
its prefix changed is it given new vectors.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from corpus.errors import InvalidDocument
from corpus.graph.changes import changes_announce
from corpus.graph.linking import mentions_link
from corpus.graph.work import proposals_request
from corpus.leases import Lease, LeaseLost
from corpus.models import Chunk, Document, EmbeddingSpace, Ingestion, StagedChunk, StagedVector
from corpus.models.spaces import swapping, vectors_forget, vectors_rescope, vectors_write
from corpus.postings import postings_rescope, postings_write, statistics_changed

_ROWS = 500
_CARRIED = ("ordinal", "locator", "prefix", "embed_hash", "tokens")
"""What a kept chunk takes over from its staged twin."""


class VectorsMissing(Exception):
    """A chunk has no vector in the active space yet: embed what is missing, then try again."""


def finish(lease: Lease) -> None:
    """End an attempt whose chunks are all embedded: they go live, or wait until the editor publishes them.

    Raises LeaseLost when the ingestion is no longer ours, VectorsMissing when the active space was switched meanwhile.
    """
    with transaction.atomic():
        document = _locked_document(lease)
        ingestion = Ingestion.objects.select_for_update().filter(pk=lease.ingestion, lease_owner=lease.owner).first()
        if ingestion is None:
            raise LeaseLost
        if document.status == Document.Status.PUBLISHED and not ingestion.publish_when_ready:
            _settle(ingestion, Ingestion.State.READY)
        else:
            swap(document, ingestion)


def swap(document: Document, ingestion: Ingestion) -> None:
    """Make an ingestion's chunks the live ones. Both rows are locked by the caller's transaction."""
    live = list(Chunk.objects.filter(document=document).order_by("ordinal"))
    staged = list(ingestion.staged_chunks.order_by("ordinal"))
    if not staged:
        raise InvalidDocument("There is nothing to publish: the reading-in has not cut any text yet.")
    kept = match_chunks(live, staged)
    was_published = document.status == Document.Status.PUBLISHED
    if ingestion.publish_when_ready:
        document.status = Document.Status.PUBLISHED
    document.checksum = ingestion.checksum
    document.save(update_fields=["status", "checksum", "updated_at"])
    kept_ids = {chunk.pk for chunk in kept if chunk is not None}
    Chunk.objects.filter(document=document).exclude(pk__in=kept_ids).delete()
    pairs = zip(staged, kept, strict=True)
    fresh = {chunk.pk for twin, chunk in pairs if chunk is not None and chunk.embed_hash != twin.embed_hash}
    chunks = _store(document, staged, kept)
    new = [chunk for chunk in chunks if chunk.pk not in kept_ids]
    _write_vectors(document.scope, staged, chunks, needed=fresh | {chunk.pk for chunk in new})
    postings_write(new, title=document.title, language=document.language, scope=document.scope)
    mentions_link(chunk_ids=[chunk.pk for chunk in new])
    proposals_request()
    changes_announce()
    if was_published is not (document.scope is not None):
        vectors_rescope(document.pk, document.scope)
        postings_rescope(document.pk, document.scope)
    document.ingestions.filter(state=Ingestion.State.LIVE).update(state=Ingestion.State.SUPERSEDED)
    ingestion.staged_chunks.all().delete()
    _settle(ingestion, Ingestion.State.LIVE)
    if document.scope is not None:
        gone = len(live) - len(kept_ids)
        statistics_changed(len(new) + len(fresh) + gone if was_published else len(chunks) + gone)


def match_chunks(live: Sequence[Chunk], staged: Sequence[StagedChunk]) -> list[Chunk | None]:
    """For each staged chunk the live one of the same heading path and text; each live one serves once, in order."""
    by_content: dict[str, deque[Chunk]] = defaultdict(deque)
    for chunk in live:
        by_content[chunk.content_hash].append(chunk)
    return [waiting.popleft() if (waiting := by_content[twin.content_hash]) else None for twin in staged]


@dataclass(frozen=True, slots=True)
class Difference:
    """What publishing a ready ingestion would change, in chunks."""

    new: int
    unchanged: int
    gone: int


def difference(ingestion: Ingestion) -> Difference:
    """How an ingestion's staged chunks differ from the live ones."""
    live = list(Chunk.objects.filter(document=ingestion.document_id).order_by("ordinal").defer("text"))
    kept = match_chunks(live, list(ingestion.staged_chunks.order_by("ordinal").defer("text")))
    unchanged = sum(chunk is not None for chunk in kept)
    return Difference(new=len(kept) - unchanged, unchanged=unchanged, gone=len(live) - unchanged)


def _locked_document(lease: Lease) -> Document:
    """The document first and the ingestion after it, everywhere: so two writers never wait for each other."""
    document = Document.objects.select_for_update().filter(ingestions=lease.ingestion).first()
    if document is None:
        raise LeaseLost
    return document


def _settle(ingestion: Ingestion, state: Ingestion.State) -> None:
    ingestion.state = state
    ingestion.done = ingestion.total
    ingestion.reason = ""
    ingestion.lease_owner = ingestion.lease_until = None
    ingestion.save(update_fields=["state", "done", "reason", "lease_owner", "lease_until"])
    if state == Ingestion.State.LIVE:
        Ingestion.objects.filter(pk=ingestion.pk).update(finished_at=Now())


def _store(document: Document, staged: Sequence[StagedChunk], kept: Sequence[Chunk | None]) -> list[Chunk]:
    """The live chunks in order: kept rows brought up to date, new rows for the others."""
    chunks: list[Chunk] = []
    for twin, chunk in zip(staged, kept, strict=True):
        if chunk is None:
            chunk = Chunk(
                document=document, heading_path=twin.heading_path, text=twin.text, content_hash=twin.content_hash
            )
        for name in _CARRIED:
            setattr(chunk, name, getattr(twin, name))
        chunks.append(chunk)
    Chunk.objects.bulk_update([chunk for chunk in chunks if chunk.pk], _CARRIED, batch_size=_ROWS)
    Chunk.objects.bulk_create([chunk for chunk in chunks if not chunk.pk], batch_size=_ROWS)
    return chunks


def _write_vectors(
    scope: int | None, staged: Sequence[StagedChunk], chunks: Sequence[Chunk], *, needed: set[int]
) -> None:
    """Write the staged vectors of the chunks that need them. Raises VectorsMissing."""
    swapping()
    chunk_of = {twin.pk: chunk.pk for twin, chunk in zip(staged, chunks, strict=True) if chunk.pk in needed}
    for space in EmbeddingSpace.objects.all():
        written = 0
        for vectors in _staged_vectors(space, list(chunk_of)):
            vectors_write(space, [(chunk_of[row.staged_chunk_id], scope, row.embedding) for row in vectors])
            written += len(vectors)
        if written == len(chunk_of):
            continue
        if space.state == EmbeddingSpace.State.ACTIVE:
            raise VectorsMissing
        embedded = StagedVector.objects.filter(space=space, staged_chunk__in=chunk_of).values_list("staged_chunk_id")
        have = {twin for (twin,) in embedded}
        vectors_forget(space, [chunk for twin, chunk in chunk_of.items() if twin not in have])


def _staged_vectors(space: EmbeddingSpace, staged: Sequence[int]) -> Iterator[list[StagedVector]]:
    for start in range(0, len(staged), _ROWS):
        yield list(StagedVector.objects.filter(space=space, staged_chunk__in=staged[start : start + _ROWS]))
