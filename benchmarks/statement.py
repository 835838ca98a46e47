"""One statement written by hand that does what both phases do: four arms of 100 candidates, BM25, rank fusion, texts.

It is what the node's time is compared with. It knows nothing of floors, near-duplicates, quotas or languages, and reads
a lexeme's postings once for both phases.
"""

from typing import Any

from psycopg import sql

from corpus.embeddings import QueryVector
from corpus.keyword import K1, POSTINGS_READ, SCORED, B
from corpus.models.spaces import vector_text
from corpus.pool import RetrievalPool, Row
from corpus.search import CANDIDATES
from pipeline.phases import PHASE_1_SLOTS, PHASE_2_SLOTS, Plan

_STATEMENT = """
WITH facts AS MATERIALIZED (
    SELECT chunks::float8, mean_length FROM corpus_corpusstatistics
), lexemes AS MATERIALIZED (
    SELECT l.lexeme, ln(1 + (f.chunks - s.documents + 0.5) / (s.documents + 0.5)) AS idf,
           row_number() OVER rarest = 1 OR sum(s.documents) OVER rarest <= {postings_read} AS first
    FROM facts f CROSS JOIN unnest(to_tsvector('english', %(text)s)) AS w(word, positions, weights)
    CROSS JOIN LATERAL (SELECT 'english:' || w.word AS lexeme) AS l
    JOIN corpus_lexemestatistics s USING (lexeme)
    WINDOW rarest AS (ORDER BY s.documents, l.lexeme)
), best AS MATERIALIZED (
    SELECT p.chunk_id, min(p.scope) AS scope,
           sum(l.idf * p.tf * {saturation} / (p.tf + {k1} * (1 - {b} + {b} * p.length / f.mean_length))) AS score
    FROM lexemes l CROSS JOIN facts f CROSS JOIN LATERAL (
        SELECT chunk_id, scope, tf, length FROM corpus_posting
        WHERE lexeme = l.lexeme AND scope = ANY(%(all)s::smallint[]) OFFSET 0
    ) AS p
    WHERE l.first GROUP BY p.chunk_id ORDER BY score DESC LIMIT {scored}
), worded AS (
    SELECT phase, chunk_id, row_number() OVER (PARTITION BY phase ORDER BY score DESC, chunk_id) AS place
    FROM (
        SELECT CASE WHEN b.scope = ANY(%(first)s::smallint[]) THEN 1 ELSE 2 END AS phase, b.chunk_id,
            b.score + coalesce(sum(
            l.idf * p.tf * {saturation} / (p.tf + {k1} * (1 - {b} + {b} * p.length / f.mean_length))), 0) AS score
        FROM best b CROSS JOIN facts f
        LEFT JOIN lexemes l ON NOT l.first
        LEFT JOIN LATERAL (
            SELECT tf, length FROM corpus_posting WHERE chunk_id = b.chunk_id AND lexeme = l.lexeme OFFSET 0
        ) AS p ON true
        GROUP BY b.chunk_id, b.scope, b.score
    ) AS scored
), near AS (
    SELECT 1 AS phase, chunk_id, row_number() OVER (ORDER BY distance) AS place FROM (
        SELECT chunk_id, embedding <=> %(vector)s::vector AS distance FROM {table}
        WHERE scope IS NOT NULL AND scope = ANY(%(first)s::smallint[])
        ORDER BY embedding <=> %(vector)s::vector LIMIT {candidates}) AS one
    UNION ALL
    SELECT 2, chunk_id, row_number() OVER (ORDER BY distance) FROM (
        SELECT chunk_id, embedding <=> %(vector)s::vector AS distance FROM {table}
        WHERE scope IS NOT NULL AND scope = ANY(%(second)s::smallint[])
        ORDER BY embedding <=> %(vector)s::vector LIMIT {candidates}) AS two
), fused AS (
    SELECT phase, chunk_id, sum(0.5 * 61 / (60 + place)) AS score
    FROM (SELECT * FROM near UNION ALL SELECT * FROM worded WHERE place <= {candidates}) AS arms
    GROUP BY phase, chunk_id
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY phase ORDER BY score DESC, chunk_id) AS place FROM fused
)
SELECT p.phase, p.place, p.score, c.id, c.text, c.heading_path, c.locator, d.title, d.authority, d.content_type
FROM placed p JOIN corpus_chunk c ON c.id = p.chunk_id JOIN corpus_document d ON d.id = c.document_id
WHERE p.place <= CASE p.phase WHEN 1 THEN {slots_1} ELSE {slots_2} END AND d.status = 'published'
ORDER BY p.phase, p.place
"""


async def one_statement(pool: RetrievalPool, table: str, question: str, vector: QueryVector, plan: Plan) -> list[Row]:
    """The rows of both phases."""
    first = [scope for leg in plan.phase_1 for scope in leg.scopes]
    second = [scope for leg in plan.phase_2 for scope in leg.scopes]
    numbers = {
        "postings_read": POSTINGS_READ,
        "saturation": K1 + 1,
        "k1": K1,
        "b": B,
        "scored": 2 * SCORED,
        "candidates": CANDIDATES,
        "slots_1": PHASE_1_SLOTS,
        "slots_2": PHASE_2_SLOTS,
    }
    statement = sql.SQL(_STATEMENT).format(
        table=sql.Identifier(table), **{name: sql.Literal(value) for name, value in numbers.items()}
    )
    params: dict[str, Any] = {
        "text": question,
        "vector": vector_text(vector.vector),
        "all": [*first, *second],
        "first": first,
        "second": second,
    }
    return await pool.rows(statement, params)
