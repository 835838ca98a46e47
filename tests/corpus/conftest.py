"""A small library to search in, and the pools the searches run on."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psycopg
import pytest
from django.db import connection
from psycopg.types.json import JsonbLoader

from corpus.embeddings import QueryVector, Vector
from corpus.models import Chunk, Document, EmbeddingSpace
from corpus.models.spaces import space_create, vectors_rescope, vectors_write
from corpus.pool import SESSION_SETTINGS, RetrievalPool, Row, Statement
from corpus.postings import postings_rescope, postings_write, statistics_changed, statistics_rebuild
from corpus.search import Search
from corpus.taxonomy import Authority, ContentType

DIMENSION = 16


def direction(angle: float, *, axis: int = 1) -> Vector:
    """The unit vector so many degrees away from the first axis, towards another one."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[0], vector[axis] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return vector


@dataclass
class Library:
    """Writes documents as ingestion does: chunks with postings and vectors, counted when published."""

    space: EmbeddingSpace
    documents: dict[str, Document] = field(default_factory=dict)

    def add(
        self,
        title: str,
        *texts: str,
        authority: Authority = Authority.PRIMARY,
        content_type: ContentType = ContentType.BOOK_CHAPTER,
        language: str = "en",
        status: str = Document.Status.PUBLISHED,
        angles: Sequence[float] = (),
        heading: Sequence[str] = (),
    ) -> list[Chunk]:
        """A document of these chunks; `angles` place their vectors, in degrees from the question's."""
        document = Document.objects.create(
            title=title, authority=authority, content_type=content_type, language=language, status=status
        )
        self.documents[title] = document
        chunks = Chunk.objects.bulk_create(
            Chunk(
                document=document,
                ordinal=number,
                text=text,
                heading_path=list(heading),
                locator={"page": str(number)},
                content_hash=hashlib.sha256(text.encode()).hexdigest(),
                embed_hash="",
                tokens=10,
            )
            for number, text in enumerate(texts)
        )
        postings_write(chunks, title=title, language=language, scope=document.scope)
        placed = [(c.pk, document.scope, direction(a)) for c, a in zip(chunks, angles, strict=False)]
        vectors_write(self.space, placed)
        statistics_changed(len(chunks))
        return chunks

    def withdraw(self, title: str) -> None:
        """Take a document out, as the service does."""
        document = self.documents[title]
        document.status = Document.Status.WITHDRAWN
        document.save()
        postings_rescope(document.pk, None)
        vectors_rescope(document.pk, None)

    def count(self) -> None:
        """Rebuild the statistics, with off-topic questions that are at right angles to everything."""
        statistics_rebuild(embed=lambda space, texts: [direction(90, axis=5) for _ in texts])


class OwnConnectionPool:
    """A pool whose statements run in the test's own transaction, one after the other.

    Its tests are plain functions and run what they test by `asyncio.run`: Django refuses its ORM inside a loop.
    """

    def __init__(self) -> None:
        # Taken now: inside a loop Django looks for a connection of that loop's own.
        self._connection = connection.connection

    async def rows(self, statement: Statement, params: Mapping[str, Any]) -> list[Row]:
        with psycopg.Cursor(self._connection) as cursor:
            # Django has its own ideas of how jsonb is read.
            cursor.adapters.register_loader("jsonb", JsonbLoader)
            cursor.execute(statement, params)
            return cursor.fetchall()


def question(angle: float = 0.0) -> QueryVector:
    """A question's vector in the library's space."""
    return QueryVector(space="test", vector=direction(angle))


@pytest.fixture
def space(db: None) -> EmbeddingSpace:
    """The active space of the tests."""
    return space_create(name="test", provider="local", model="angles", dimension=DIMENSION, state="active")


@pytest.fixture
def library(space: EmbeddingSpace) -> Library:
    """An empty library."""
    return Library(space)


@pytest.fixture
def search_pool(db: None) -> OwnConnectionPool:
    """A pool on the test's own connection, set as the real one is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT '[1]'::vector")
        for name, value in SESSION_SETTINGS.items():
            if name != "default_transaction_read_only":
                cursor.execute("SELECT set_config(%s, %s, true)", [name, value])
    return OwnConnectionPool()


@pytest.fixture
def search(search_pool: OwnConnectionPool) -> Search:
    """The searches, in the test's transaction."""
    return Search(search_pool)


@pytest.fixture
def committed_library(transactional_db: None) -> Library:
    """An empty library that other connections see."""
    return Library(space_create(name="test", provider="local", model="angles", dimension=DIMENSION, state="active"))


@pytest.fixture
async def real_pool(transactional_db: None) -> AsyncIterator[RetrievalPool]:
    """The pool as the server opens it."""
    pool = await RetrievalPool.open(min_size=2, max_size=6)
    yield pool
    await pool.close()
