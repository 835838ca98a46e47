"""The vector channel and the keyword channel, and what reads chunks: the only place that queries them.

Each channel is one statement. A filter is a set of scopes, which stand on vectors and postings, so that it is part of
the index look-up. A *leg* is a set of scopes with a limit of its own; one statement answers several. What the channels
return are ids; `read` joins them to their documents and checks once more that these are published.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql
from psycopg.errors import DataException, UndefinedTable

from corpus.embeddings import QueryVector
from corpus.errors import NoActiveSpace
from corpus.keyword import KEYWORD, keyword_params, plain_text
from corpus.models.spaces import vector_text
from corpus.naming.index import lookup_keys
from corpus.pool import Pool, Row
from corpus.taxonomy import Authority, ContentType

CANDIDATES = 100
"""How many chunks a channel offers a phase."""
EXACT_ROWS = 5_000
"""Up to so many rows in the scopes asked for, every vector is compared; above, the index is searched."""
_LEG = """
(WITH few AS MATERIALIZED (
    SELECT count(*) <= %(exact)s AS so
    FROM (SELECT FROM {table} WHERE scope + 0 = ANY({scopes}) LIMIT %(exact)s + 1) AS counted
)
SELECT {leg} AS leg, near.* FROM (
    (SELECT chunk_id, scope, embedding <=> %(vector)s::vector AS distance FROM {table}
     WHERE scope + 0 = ANY({scopes}) AND (SELECT so FROM few)
     ORDER BY (embedding <=> %(vector)s::vector) + 0, scope, chunk_id LIMIT {limit})
    UNION ALL
    (SELECT chunk_id, scope, embedding <=> %(vector)s::vector AS distance FROM {table}
     WHERE scope IS NOT NULL AND scope = ANY({scopes}) AND NOT (SELECT so FROM few)
     ORDER BY embedding <=> %(vector)s::vector LIMIT {limit})
) AS near)
"""
# Only the scopes' index knows "scope + 0", and no index the distance "+ 0": the first arm is never answered by HNSW,
# the second by nothing else (corpus/models/spaces.py).

_VECTOR = """
SELECT near.leg, near.chunk_id, 1 - near.distance AS similarity, space.coverage, space.floor
FROM ({legs}) AS near CROSS JOIN corpus_embeddingspace space
WHERE space.id = %(space)s AND (space.floor IS NULL OR 1 - near.distance >= space.floor)
ORDER BY near.leg, near.distance, near.scope, near.chunk_id
"""

_READ = """
SELECT c.id, c.public_id::text, c.document_id::text, d.title, d.creator, d.authority, d.content_type, c.heading_path,
       c.locator, c.ordinal, c.text, c.content_hash
FROM corpus_chunk c JOIN corpus_document d ON d.id = c.document_id
WHERE c.id = ANY(%(chunks)s::bigint[]) AND d.status = 'published'
"""

_NEAREST_TITLE = """
SELECT d.title
FROM (SELECT chunk_id, embedding <=> %(vector)s::vector AS distance FROM {} WHERE scope IS NOT NULL
      ORDER BY embedding <=> %(vector)s::vector LIMIT 10) AS near
JOIN corpus_chunk c ON c.id = near.chunk_id JOIN corpus_document d ON d.id = c.document_id
WHERE d.status = 'published' ORDER BY near.distance, c.id LIMIT 1
"""

_NEAREST_OF = """
SELECT max(1 - (v.embedding <=> %(vector)s::vector))
FROM {} v JOIN corpus_chunk c ON c.id = v.chunk_id WHERE c.document_id = %(document)s::uuid
"""

_PROBE = """
SELECT CASE WHEN best.similarity >= coalesce(space.floor, -1) THEN best.similarity ELSE 0 END
FROM corpus_embeddingspace space
CROSS JOIN unnest(%(vectors)s::vector[]) WITH ORDINALITY AS q(vector, number)
LEFT JOIN LATERAL (
    SELECT 1 - (t.embedding <=> q.vector) AS similarity FROM {} t WHERE t.scope IS NOT NULL
    ORDER BY t.embedding <=> q.vector LIMIT 1
) AS best ON true
WHERE space.id = %(space)s ORDER BY q.number
"""

_CONCEPT_NAMES = """
SELECT name, id FROM corpus_concept WHERE name_keys && %(keys)s::text[]
UNION
SELECT name, concept_id FROM corpus_alias WHERE name_keys && %(keys)s::text[]
"""

_RELATIONS = """
SELECT r.id, source.name, k.label, target.name
FROM corpus_relationship r
JOIN corpus_concept source ON source.id = r.source_id JOIN corpus_concept target ON target.id = r.target_id
JOIN corpus_relationshipkind k ON k.slug = r.kind_id
WHERE r.id = ANY(%(relationships)s::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Leg:
    """Scopes searched together, and how many chunks of them are wanted at most."""

    scopes: tuple[int, ...]
    limit: int = CANDIDATES


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk a channel found, with its cosine similarity or its BM25 score."""

    chunk: int
    score: float
    match: float = 0.0
    """A BM25 score as a part of the highest the question could give, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class VectorHits:
    """What the vector channel found: hits a leg, best first, and the space's lines as measured, if they are."""

    legs: tuple[tuple[Hit, ...], ...]
    coverage: float | None = None
    """The similarity of the best chunk under which to doubt."""
    floor: float | None = None
    """The similarity under which nothing was returned."""


@dataclass(frozen=True, slots=True)
class PublishedChunk:
    """A chunk of a published document with what is shown of both."""

    id: int
    public_id: str
    document: str
    title: str
    creator: str
    authority: Authority
    content_type: ContentType
    heading_path: tuple[str, ...]
    locator: Mapping[str, str]
    ordinal: int
    text: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship in words."""

    source: str
    label: str
    target: str


class Search:
    """Answers queries on the pool of one event loop. Every method raises SearchUnavailable."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._spaces: dict[str, int] = {}

    @property
    def pool(self) -> Pool:
        """What its statements run on."""
        return self._pool

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        """The nearest published chunks of each leg, none under the space's floor."""
        params: dict[str, Any] = {"vector": vector_text(query.vector), "exact": EXACT_ROWS}
        for number, leg in enumerate(legs):
            params |= {f"scopes_{number}": list(leg.scopes), f"limit_{number}": leg.limit}
        rows = await self._in_space(query.space, lambda table: _vector_statement(table, len(legs)), params)
        coverage, floor = rows[0][3:5] if rows else (None, None)
        return VectorHits(_by_leg(rows, len(legs)), coverage, floor)

    async def keyword(self, text: str, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        """The published chunks of each of one or two legs that best match the words of a text."""
        rows = await self._pool.rows(KEYWORD, keyword_params(text, [(leg.scopes, leg.limit) for leg in legs]))
        hits = [(row[0], Hit(row[1], row[2], row[3])) for row in rows]
        return tuple(tuple(hit for of, hit in hits if of == leg) for leg in range(len(legs)))

    async def read(self, chunks: Sequence[int]) -> dict[int, PublishedChunk]:
        """Those of the chunks whose document is published at this moment, by id."""
        rows = await self._pool.rows(_READ, {"chunks": list(chunks)}) if chunks else []
        return {row[0]: _published_chunk(row) for row in rows}

    async def nearest_title(self, query: QueryVector) -> str:
        """The title of the published document nearest to a query, however far; empty in an empty library."""
        params = {"vector": vector_text(query.vector)}
        rows = await self._in_space(query.space, sql.SQL(_NEAREST_TITLE).format, params)
        return str(rows[0][0]) if rows else ""

    async def nearest_of(self, query: QueryVector, document: str) -> float | None:
        """The similarity of a document's nearest chunk, published or not; None when it has no vector there."""
        params = {"vector": vector_text(query.vector), "document": document}
        rows = await self._in_space(query.space, sql.SQL(_NEAREST_OF).format, params)
        return rows[0][0] if rows else None

    async def probe(self, queries: Sequence[QueryVector]) -> list[float]:
        """The similarity of each query, all of one space, to its nearest published chunk; 0 under the floor."""
        if not queries:
            return []
        params = {"vectors": [vector_text(query.vector) for query in queries]}
        rows = await self._in_space(queries[0].space, sql.SQL(_PROBE).format, params)
        return [float(row[0]) for row in rows]

    async def concept_names(self, text: str) -> list[tuple[str, int]]:
        """The names and aliases that may stand in a text, with their concepts: those whose first word does."""
        rows = await self._pool.rows(_CONCEPT_NAMES, {"keys": lookup_keys(plain_text(text))})
        return [(row[0], row[1]) for row in rows]

    async def relations(self, relationships: Sequence[int]) -> dict[int, Relation]:
        """Relationships in words, by id."""
        if not relationships:
            return {}
        rows = await self._pool.rows(_RELATIONS, {"relationships": list(relationships)})
        return {row[0]: Relation(*row[1:]) for row in rows}

    async def ping(self) -> None:
        """Return when it could answer now."""
        await self._pool.rows("SELECT 1", {})

    async def _in_space(
        self, name: str, statement: Callable[[sql.Identifier], sql.Composed], params: Mapping[str, Any]
    ) -> list[Row]:
        """Run a statement on the table of the space a query vector belongs to. Raises NoActiveSpace."""
        space = self._spaces.get(name) or await self._space(name)
        table = sql.Identifier(f"corpus_space_{space}")
        try:
            return await self._pool.rows(statement(table), {**params, "space": space})
        except (UndefinedTable, DataException) as error:
            # Dropped since we looked it up, or the vector's dimension is not the space's.
            self._spaces.pop(name, None)
            raise NoActiveSpace(f"Space {name} cannot be searched with this vector.") from error

    async def _space(self, name: str) -> int:
        """The id of a space, remembered."""
        rows = await self._pool.rows("SELECT id FROM corpus_embeddingspace WHERE name = %(name)s", {"name": name})
        if not rows:
            raise NoActiveSpace(f"There is no space {name}.")
        self._spaces[name] = int(rows[0][0])
        return self._spaces[name]


def _vector_statement(table: sql.Identifier, legs: int) -> sql.Composed:
    """The vector channel's statement for a space's table and a number of legs."""
    arms = [
        sql.SQL(_LEG).format(
            table=table,
            leg=sql.Literal(number),
            scopes=sql.Placeholder(f"scopes_{number}"),
            limit=sql.Placeholder(f"limit_{number}"),
        )
        for number in range(legs)
    ]
    return sql.SQL(_VECTOR).format(legs=sql.SQL(" UNION ALL ").join(arms))


def _by_leg(rows: Sequence[Row], legs: int) -> tuple[tuple[Hit, ...], ...]:
    """Rows that begin with leg, chunk and score, as hits a leg in the order they came."""
    return tuple(tuple(Hit(row[1], float(row[2])) for row in rows if row[0] == leg) for leg in range(legs))


def _published_chunk(row: Row) -> PublishedChunk:
    """One row of _READ."""
    chunk, public_id, document, title, creator, authority, kind, headings, locator, ordinal, text, content_hash = row
    labels = (Authority(authority), ContentType(kind), tuple(headings))
    return PublishedChunk(chunk, public_id, document, title, creator, *labels, locator, ordinal, text, content_hash)
