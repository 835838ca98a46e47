"""Writes documents and vectors into an empty database as the product does: postings, scopes, statistics, floors."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from django.db import connection, transaction

from benchmarks.datasets import SetDocument
from corpus.embeddings import LocalEmbedder, Vector
from corpus.models import Chunk, Document, EmbeddingSpace
from corpus.models.spaces import space_create, vectors_write
from corpus.postings import postings_write, statistics_changed, statistics_rebuild
from corpus.taxonomy import Authority, ContentType

SPACE = "benchmark"
PRIMARY_SHARE = 0.4
SEED = 20_261_130
_ROWS = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One chunk to be: which document it belongs to, and what it is found by."""

    id: str
    document: str
    title: str
    text: str
    vector: Vector
    authority: Authority
    content_type: ContentType = ContentType.BOOK_CHAPTER


def text_of(document: SetDocument) -> str:
    """What every system is given of a document."""
    return f"{document.title} {document.text}".strip()


def authorities_of(documents: Sequence[SetDocument]) -> list[Authority]:
    """A seeded 40 % of a set's documents are primary, the others supplementary."""
    chance = random.Random(SEED)
    return [
        Authority.PRIMARY if chance.random() < PRIMARY_SHARE else Authority.SUPPLEMENTARY for _ in range(len(documents))
    ]


def fill(items: Iterable[Item]) -> None:
    """Write items, those of a document one after the other, into an empty database, and count them.

    The vector index is made when all vectors are there, as after a restore: that is many times quicker.
    """
    # Whole documents stand for chunks here, so that every system searches the same texts.
    with connection.cursor() as cursor:
        for name in ("chunk_characters_bounded", "chunk_tokens_bounded"):
            cursor.execute(f"ALTER TABLE corpus_chunk DROP CONSTRAINT {name}")
    embedder = LocalEmbedder()
    space = space_create(
        name=SPACE,
        provider="local",
        model=embedder.model,
        dimension=embedder.dimension,
        state=EmbeddingSpace.State.ACTIVE,
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE %s", [f"%{space.table} USING hnsw%"]
        )
        name, definition = cursor.fetchone()
        cursor.execute(f"DROP INDEX {name}")
    for batch in _batches(items):
        with transaction.atomic():
            _write(space, batch)
    with connection.cursor() as cursor:
        cursor.execute(definition)
    statistics_rebuild(embed=lambda _space, texts: embedder.embed_batch(texts))
    # Settles what autovacuum would settle within minutes.
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items in portions."""
    source = iter(items)
    while batch := list(islice(source, _ROWS)):
        yield batch


def _write(space: EmbeddingSpace, batch: Sequence[Item]) -> None:
    for name, rows in groupby(batch, key=lambda item: item.document):
        items = list(rows)
        first = items[0]
        document, made = Document.objects.get_or_create(
            checksum=hashlib.sha256(name.encode()).hexdigest(),
            defaults={
                "title": (first.title or name)[:300],
                "authority": first.authority,
                "content_type": first.content_type,
                "status": Document.Status.PUBLISHED,
            },
        )
        begins = 0 if made else document.chunks.count()
        chunks = Chunk.objects.bulk_create(
            _chunk(document, number, item) for number, item in enumerate(items, start=begins)
        )
        postings_write(chunks, title=first.title, language="en", scope=document.scope)
        vectors = [(chunk.pk, document.scope, item.vector) for chunk, item in zip(chunks, items, strict=True)]
        vectors_write(space, vectors)
    statistics_changed(len(batch))


def _chunk(document: Document, number: int, item: Item) -> Chunk:
    """A chunk whose locator tells what it was made of."""
    text = item.text.replace("\x00", " ")
    return Chunk(
        document=document,
        ordinal=number,
        text=text,
        locator={"item": item.id},
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        embed_hash="",
        tokens=0,
    )
