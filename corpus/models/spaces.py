"""Embedding spaces: a model, a dimension and a recipe, with a table of vectors each.

A space's table is made and dropped here, by code and not by a migration, because its column has the space's dimension.
Every function runs in the caller's transaction.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connection, models, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray
from pgvector import Vector as PgVector
from psycopg import sql

from corpus.errors import NoActiveSpace
from corpus.models.documents import Chunk

Vector = NDArray[np.float32]

MAX_DIMENSION = 2_000
"""The most dimensions an HNSW index of pgvector takes for the `vector` type (pgvector README, "HNSW")."""


_SWITCH_LOCK = 0x5EC0_5A1C
_BUILD_LOCK = 0x5EC0_B01D
_MISSING = " FROM corpus_chunk c WHERE NOT EXISTS (SELECT FROM {} v WHERE v.chunk_id = c.id)"


class EmbeddingSpace(models.Model):
    """One way of turning text into vectors. The active space alone decides which embedder answers a query."""

    class State(models.TextChoices):
        BUILDING = "building", _("Building")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Retired")

    name = models.SlugField(max_length=60, unique=True)
    provider = models.CharField(max_length=20, help_text=_("Which adapter embeds for it: local or openai."))
    model = models.CharField(max_length=100)
    dimension = models.PositiveSmallIntegerField()
    recipe = models.PositiveSmallIntegerField(default=1, help_text=_("Version of what text is embedded for a chunk."))
    state = models.CharField(max_length=10, choices=State.choices, default=State.BUILDING)
    floor = models.FloatField(
        null=True, blank=True, help_text=_("Similarity under which a chunk is not about the question.")
    )
    coverage = models.FloatField(
        null=True, blank=True, help_text=_("Best similarity under which the answerer should doubt.")
    )
    floor_chunks = models.PositiveIntegerField(default=0, help_text=_("Published chunks when the floor was computed."))
    floor_changes = models.PositiveBigIntegerField(
        default=0, help_text=_("CorpusStatistics.changes when the floor was computed.")
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["state"], condition=models.Q(state="active"), name="one_active_space"),
            models.CheckConstraint(
                condition=models.Q(dimension__gte=1, dimension__lte=MAX_DIMENSION),
                name="space_dimension_indexable",
                violation_error_message=_("A space has 1 to 2,000 dimensions: more cannot be indexed."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """The name of its table of vectors."""
        return f"corpus_space_{self.pk}"


def space_create(
    *, name: str, provider: str, model: str, dimension: int, recipe: int = 1, state: str = EmbeddingSpace.State.BUILDING
) -> EmbeddingSpace:
    """Make a space with its table and index. Raises ValidationError for a dimension that cannot be indexed."""
    space = EmbeddingSpace(name=name, provider=provider, model=model, dimension=dimension, recipe=recipe, state=state)
    space.full_clean()
    with transaction.atomic():
        space.save()
        _table_create(space)
    return space


def _table_create(space: EmbeddingSpace) -> None:
    """The table of a space: published rows only are in the vector index, so drafts never thin out what it returns.

    The scopes are indexed as an expression: what asks for `scope + 0` is answered by that index and what asks for
    `scope` by the vector index, never the other way round, so that the query chooses and not the planner.
    PLAIN storage keeps a vector inside its row, which an exact scan then reads without a detour (2,000 dimensions still
    fit a page).
    """
    names = {"table": sql.Identifier(space.table), "dimension": sql.Literal(space.dimension)}
    for statement in (
        "CREATE TABLE {table} (chunk_id bigint PRIMARY KEY REFERENCES corpus_chunk (id) ON DELETE CASCADE,"
        " scope smallint, embedding vector({dimension}) STORAGE PLAIN NOT NULL)",
        "CREATE INDEX ON {table} ((scope + 0)) INCLUDE (scope)",
        "CREATE INDEX ON {table} USING hnsw (embedding vector_cosine_ops) WHERE scope IS NOT NULL",
    ):
        _execute(sql.SQL(statement).format(**names))


def space_drop_table(space: EmbeddingSpace) -> None:
    """Drop a space: its table with all vectors, and its row."""
    with transaction.atomic():
        _execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(space.table)))
        space.delete()


def spaces_drop_all() -> None:
    """Drop every space, as tests do before the database is emptied."""
    for space in EmbeddingSpace.objects.all():
        space_drop_table(space)


def active_space() -> EmbeddingSpace:
    """The space that answers queries. Raises NoActiveSpace."""
    space = EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.ACTIVE).first()
    if space is None:
        raise NoActiveSpace
    return space


def vectors_write(space: EmbeddingSpace, rows: Sequence[tuple[int, int | None, Vector]]) -> None:
    """Insert or replace (chunk id, scope, vector) rows."""
    if not rows:
        return
    statement = sql.SQL(
        "INSERT INTO {} (chunk_id, scope, embedding)"
        " SELECT * FROM unnest(%s::bigint[], %s::smallint[], %s::vector[])"
        " ON CONFLICT (chunk_id) DO UPDATE SET scope = excluded.scope, embedding = excluded.embedding"
    ).format(sql.Identifier(space.table))
    chunks, scopes, vectors = zip(*rows, strict=True)
    _execute(statement, [list(chunks), list(scopes), [vector_text(vector) for vector in vectors]])


def vectors_rescope(document_id: uuid.UUID, scope: int | None) -> None:
    """Give a document's vectors another scope, in every space."""
    for space in EmbeddingSpace.objects.order_by("pk"):
        statement = sql.SQL(
            "UPDATE {} AS v SET scope = %s FROM corpus_chunk c"
            " WHERE c.id = v.chunk_id AND c.document_id = %s AND v.scope IS DISTINCT FROM %s"
        ).format(sql.Identifier(space.table))
        _execute(statement, [scope, document_id, scope])


def vectors_forget(space: EmbeddingSpace, chunks: Collection[int]) -> None:
    """Delete the vectors of chunks whose embedded text has changed: a wrong one is worse than none."""
    statement = sql.SQL("DELETE FROM {} WHERE chunk_id = ANY(%s)").format(sql.Identifier(space.table))
    _execute(statement, [list(chunks)])


def chunks_missing(space: EmbeddingSpace) -> int:
    """How many chunks, of drafts too, have no vector in a space."""
    return int(_execute(sql.SQL("SELECT count(*)" + _MISSING).format(sql.Identifier(space.table)))[0][0])


def chunks_without_vector(space: EmbeddingSpace, *, after: int, limit: int) -> list[Chunk]:
    """The next chunks of higher ids than `after` that have no vector in a space."""
    statement = sql.SQL("SELECT c.id" + _MISSING + " AND c.id > %s ORDER BY c.id LIMIT %s").format(
        sql.Identifier(space.table)
    )
    ids = [row[0] for row in _execute(statement, [after, limit])]
    return list(Chunk.objects.filter(pk__in=ids).order_by("pk"))


def swapping() -> None:
    """Until this transaction ends no other space becomes the active one; any number of swaps may run at once."""
    _execute(sql.SQL("SELECT pg_advisory_xact_lock_shared(%s)"), [_SWITCH_LOCK])


def switching() -> None:
    """Wait until no swap is under way, and let none begin until this transaction ends."""
    _execute(sql.SQL("SELECT pg_advisory_xact_lock(%s)"), [_SWITCH_LOCK])


@contextmanager
def alone_on(space_id: int) -> Iterator[bool]:
    """Whether this worker alone builds a space: a lock of its connection, gone with a worker that is lost."""
    ours = bool(_execute(sql.SQL("SELECT pg_try_advisory_lock(%s, %s)"), [_BUILD_LOCK, space_id])[0][0])
    try:
        yield ours
    finally:
        if ours:
            _execute(sql.SQL("SELECT pg_advisory_unlock(%s, %s)"), [_BUILD_LOCK, space_id])


def vectors_published(space: EmbeddingSpace) -> int:
    """How many of its vectors belong to published chunks."""
    statement = sql.SQL("SELECT count(*) FROM {} WHERE scope IS NOT NULL").format(sql.Identifier(space.table))
    return int(_execute(statement)[0][0])


def best_similarities(space: EmbeddingSpace, vectors: Sequence[Vector]) -> list[float]:
    """The similarity of each vector to its nearest published chunk; -1 where nothing is published."""
    statement = sql.SQL(
        "SELECT coalesce((SELECT 1 - (t.embedding <=> q.vector) FROM {} t WHERE t.scope IS NOT NULL"
        " ORDER BY t.embedding <=> q.vector LIMIT 1), -1)"
        " FROM unnest(%s::vector[]) WITH ORDINALITY AS q(vector, number) ORDER BY q.number"
    ).format(sql.Identifier(space.table))
    return [float(row[0]) for row in _execute(statement, [[vector_text(vector) for vector in vectors]])]


def vector_text(vector: Vector) -> str:
    """A vector as Postgres reads it, `[0.1,0.2]`; bound as a parameter and cast to `vector` in the statement."""
    return PgVector(vector).to_text()


def _execute(statement: sql.Composable, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run one statement on this thread's connection; its rows, if it returns any."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchall() if cursor.description else []
