"""Reading one file in, from its bytes to live chunks: read, clean, cut, embed batch by batch, swap.

What is done is stored as it is done, so that another worker goes on where a lost one stopped: cut chunks are staged in
one transaction, vectors batch by batch.
"""

import logging
import uuid
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import F

from corpus.embeddings import Embedder, token_counter
from corpus.errors import CorpusError, EmbedderUnavailable, UnreadableFile
from corpus.ingestion.chunking import CutChunk, cut_chunks, embedded_text
from corpus.ingestion.isolation import ReadLimits, read_isolated
from corpus.leases import Lease, LeaseLost, lease_end, lease_kept, lease_take, lease_write, seconds_from_now
from corpus.models import Chunk, EmbeddingSpace, Ingestion, StagedChunk, StagedVector
from corpus.models.spaces import active_space
from corpus.swap import VectorsMissing, finish, match_chunks

logger = logging.getLogger(__name__)

EmbedderFor = Callable[[EmbeddingSpace], Embedder]

BATCH = 32
"""Chunks embedded and stored at once: about two seconds of the local model."""
WAIT_SECONDS = 30.0
"""Until an ingestion whose embedder did not answer is taken up again."""
_UNEXPECTED = "An unexpected fault stopped the reading-in; the log of the worker has it. You can try again."


def ingestion_run(*, ingestion_id: uuid.UUID, embedder_for: EmbedderFor) -> Ingestion | None:
    """Work on an ingestion to its end, unless it has ended or another worker has it. None when it was deleted.

    Every outcome stands on the row: live or ready; failed with a reason; waiting for an embedder that does not answer.
    """
    lease = lease_take(ingestion_id)
    if lease is not None:
        try:
            with lease_kept(lease):
                _work(lease, embedder_for)
        except LeaseLost:
            logger.info("ingestion %s was taken over, changed or deleted; leaving it", ingestion_id)
    return Ingestion.objects.filter(pk=ingestion_id).first()


def _work(lease: Lease, embedder_for: EmbedderFor) -> None:
    try:
        _stages(lease, embedder_for)
    except EmbedderUnavailable as error:
        if error.permanent:
            _fail(lease, str(error), permanent=False)
        else:
            # Waiting is no lost attempt.
            until = seconds_from_now(WAIT_SECONDS)
            lease_end(lease, lease_until=until, attempts=F("attempts") - 1, reason=f"Waiting: {error}")
    except CorpusError as error:
        _fail(lease, str(error), permanent=error.permanent)
    except (OperationalError, LeaseLost):
        raise  # The database is away, or the lease: whoever has it next goes on.
    except Exception:
        logger.exception("ingestion %s failed", lease.ingestion)
        _fail(lease, _UNEXPECTED, permanent=False)
        raise


def _fail(lease: Lease, reason: str, *, permanent: bool) -> None:
    with transaction.atomic():
        lease_end(lease, state=Ingestion.State.FAILED, reason=reason, permanent=permanent)
        StagedChunk.objects.filter(ingestion=lease.ingestion).delete()


def _stages(lease: Lease, embedder_for: EmbedderFor) -> None:
    ingestion = Ingestion.objects.select_related("document").filter(pk=lease.ingestion).first()
    if ingestion is None:
        raise LeaseLost
    if ingestion.state != Ingestion.State.EMBEDDING:
        _stage_chunks(lease, ingestion)
    for last in (False, True):
        _embed(lease, ingestion, embedder_for)
        try:
            finish(lease)
            return
        except VectorsMissing:
            if last:
                raise
            logger.info("the active space changed during ingestion %s; embedding what is missing", ingestion.pk)


def _stage_chunks(lease: Lease, ingestion: Ingestion) -> None:
    lease_write(lease, state=Ingestion.State.READING)
    reading = read_isolated(ingestion.file_name, _file_bytes(ingestion), read_limits())
    lease_write(lease, state=Ingestion.State.CHUNKING, warnings=list(reading.warnings))
    chunks = cut_chunks(reading.sections, title=ingestion.document.title, count=token_counter())
    if not chunks:
        raise UnreadableFile("There is no text in the file.")
    with transaction.atomic():
        lease_write(lease, state=Ingestion.State.EMBEDDING, done=0, total=len(chunks))
        StagedChunk.objects.filter(ingestion=ingestion).delete()
        StagedChunk.objects.bulk_create(
            [_staged(ingestion, ordinal, chunk) for ordinal, chunk in enumerate(chunks)], batch_size=500
        )


def read_limits() -> ReadLimits:
    """What reading one file may take, by the settings."""
    usual = ReadLimits()
    return ReadLimits(
        seconds=getattr(settings, "INGESTION_READ_SECONDS", usual.seconds),
        memory=getattr(settings, "INGESTION_READ_BYTES", usual.memory),
    )


def _file_bytes(ingestion: Ingestion) -> bytes:
    try:
        with ingestion.file.open("rb") as file:
            return bytes(file.read())
    except OSError as error:
        raise UnreadableFile("The uploaded file is gone from the storage; please upload it again.") from error


def _staged(ingestion: Ingestion, ordinal: int, chunk: CutChunk) -> StagedChunk:
    return StagedChunk(
        ingestion=ingestion,
        ordinal=ordinal,
        heading_path=list(chunk.heading_path),
        locator=dict(chunk.locator),
        prefix=chunk.prefix,
        text=chunk.text,
        content_hash=chunk.content_hash,
        embed_hash=chunk.embed_hash,
        tokens=chunk.tokens,
    )


def _embed(lease: Lease, ingestion: Ingestion, embedder_for: EmbedderFor) -> None:
    """Give every staged chunk that is new or changed a vector in every space, the active one first."""
    active = active_space()
    staged = _changed(ingestion)
    for space in (active, *EmbeddingSpace.objects.exclude(pk=active.pk)):
        try:
            _embed_in(lease, ingestion, space, embedder_for(space), staged)
        except EmbedderUnavailable:
            if space == active:
                raise
            logger.warning("ingestion %s goes on without the space %s", ingestion.pk, space.name, exc_info=True)


def _changed(ingestion: Ingestion) -> list[StagedChunk]:
    """The staged chunks that no live chunk can lend its vectors."""
    live = list(Chunk.objects.filter(document=ingestion.document_id).order_by("ordinal").defer("text"))
    staged = list(ingestion.staged_chunks.order_by("ordinal"))
    matched = zip(staged, match_chunks(live, staged), strict=True)
    return [twin for twin, chunk in matched if chunk is None or chunk.embed_hash != twin.embed_hash]


def _embed_in(
    lease: Lease, ingestion: Ingestion, space: EmbeddingSpace, embedder: Embedder, staged: Sequence[StagedChunk]
) -> None:
    have = set(
        StagedVector.objects.filter(space=space, staged_chunk__ingestion=ingestion).values_list(
            "staged_chunk_id", flat=True
        )
    )
    missing = [twin for twin in staged if twin.pk not in have]
    done = ingestion.staged_chunks.count() - len(missing)
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        vectors = embedder.embed_batch([embedded_text(twin.prefix, twin.text) for twin in batch])
        rows = zip(batch, vectors, strict=True)
        done += len(batch)
        with transaction.atomic():
            progress = {"done": done} if space.state == EmbeddingSpace.State.ACTIVE else {}
            lease_write(lease, **progress)
            StagedVector.objects.bulk_create(
                [StagedVector(staged_chunk=twin, space=space, embedding=vector) for twin, vector in rows]
            )
