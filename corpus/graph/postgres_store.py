"""The graph store that asks the record itself, in one statement a question."""

from collections.abc import Sequence

from corpus.graph.store import MAX_EDGES, MAX_PERSONA_CHUNKS, Edge, PersonaHit, Standing
from corpus.pool import Pool

# Edges are undirected here. An edge touches a question concept (1 hop) or one of its neighbours (2 hops).
_EDGES = """
WITH asked AS (
    SELECT DISTINCT unnest(%(concepts)s::bigint[]) AS concept
), ends AS NOT MATERIALIZED (
    SELECT id, source_id AS here, target_id AS there FROM corpus_relationship
    UNION ALL
    SELECT id, target_id, source_id FROM corpus_relationship
), near AS (
    SELECT concept AS asked, concept, 0 AS distance FROM asked
    UNION
    SELECT a.concept, e.there, 1 FROM asked a JOIN ends e ON e.here = a.concept
), touched AS (
    SELECT e.id, 1 + min(n.distance) AS hops, count(DISTINCT n.asked) AS near
    FROM near n JOIN ends e ON e.here = n.concept GROUP BY e.id
)
SELECT r.id, r.source_id, r.target_id, r.kind_id, t.hops,
       r.weight * t.near * CASE t.hops WHEN 1 THEN 2 ELSE 1 END AS score, r.proof_id
FROM touched t JOIN corpus_relationship r USING (id)
ORDER BY score DESC, r.id LIMIT %(limit)s
"""

_PERSONA_CHUNKS = """
WITH cared AS (
    SELECT pc.concept_id FROM corpus_persona_concepts pc JOIN corpus_persona p ON p.id = pc.persona_id
    WHERE p.id::text = %(persona)s OR p.slug = %(persona)s
), both_named AS (
    SELECT m.chunk_id, sum(m.count) AS mentions
    FROM corpus_mention m
    CROSS JOIN LATERAL (
        SELECT m.concept_id = ANY(%(concepts)s::bigint[]) AS asked,
               EXISTS (SELECT FROM cared WHERE cared.concept_id = m.concept_id) AS cared
    ) AS it
    WHERE m.concept_id = ANY(%(concepts)s::bigint[]) OR m.concept_id IN (SELECT concept_id FROM cared)
    GROUP BY m.chunk_id HAVING bool_or(it.asked) AND bool_or(it.cared)
)
SELECT b.chunk_id, b.mentions
FROM both_named b JOIN corpus_chunk c ON c.id = b.chunk_id JOIN corpus_document d ON d.id = c.document_id
WHERE d.status = 'published'
ORDER BY b.mentions DESC, b.chunk_id LIMIT %(limit)s
"""

_STANDING = """
SELECT (SELECT number FROM corpus_graphgeneration WHERE state = 'current'),
       coalesce((SELECT version FROM corpus_graphstanding WHERE id = 1), 0),
       EXISTS (SELECT FROM corpus_graphchange)
"""


class PostgresGraphStore:
    """A GraphStore on the retrieval pool. Every method raises SearchUnavailable."""

    origin = "postgres"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def edges(self, concepts: Sequence[int]) -> list[Edge]:
        """The best MAX_EDGES edges within two hops of the concepts, by score, ties by id."""
        if not concepts:
            return []
        return [Edge(*row) for row in await self._pool.rows(_EDGES, {"concepts": list(concepts), "limit": MAX_EDGES})]

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> list[PersonaHit]:
        """The best MAX_PERSONA_CHUNKS chunks mentioning a concept of both, by mentions, ties by id."""
        if not concepts or not persona:
            return []
        params = {"concepts": list(concepts), "persona": persona, "limit": MAX_PERSONA_CHUNKS}
        return [PersonaHit(*row) for row in await self._pool.rows(_PERSONA_CHUNKS, params)]

    async def standing(self) -> Standing:
        """How far the graph store has followed the record at this moment."""
        return Standing(*(await self._pool.rows(_STANDING, {}))[0])

    async def ping(self) -> None:
        """Return when it could answer now."""
        await self._pool.rows("SELECT 1", {})
