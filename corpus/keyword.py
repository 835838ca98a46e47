"""The keyword channel's one statement: BM25 over any of a question's lexemes, in plain SQL.

The question is stemmed once in every configuration in use. A *word* of it is a position, which the configurations
share; it is as rare as the rarest of its lexemes that the library knows, and counts as often as it is said. Lexemes are
read from the rarest on until enough postings are read; only the best chunks by those are scored with all.
"""

from collections.abc import Sequence
from typing import Any, LiteralString

MAX_TEXT = 10_000
"""Characters of a text that are looked at."""
MAX_LEXEMES = 128
"""The rarest so many lexemes of a question; in one that has more, the others are too common to matter."""

POSTINGS_READ = 20_000
SCORED = 400
"""All lexemes are looked up for the best so many by the lexemes read first: 99.8 % of the top 12 of scoring all."""
K1 = 1.2
B = 0.75
"""BM25's saturation and length constants: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.5."""
KEYWORD_FLOOR = 0.25
"""The share of the question's idf a chunk must match, of the words its language sees in the question."""

KEYWORD: LiteralString = """
WITH facts AS MATERIALIZED (
    SELECT greatest(s.chunks, 1)::float8 AS chunks, greatest(s.mean_length, 1)::float8 AS mean_length,
           CASE WHEN jsonb_array_length(s.configurations) > 0 THEN s.configurations
                ELSE '["english", "simple"]' END AS configurations
    FROM (VALUES (1)) AS one(id) LEFT JOIN corpus_corpusstatistics s USING (id)
), words AS MATERIALIZED (
    SELECT c.name AS configuration, l.lexeme, position, s.documents
    FROM facts
    CROSS JOIN LATERAL jsonb_array_elements_text(facts.configurations) AS c(name)
    CROSS JOIN LATERAL unnest(to_tsvector(c.name::regconfig, %(text)s::text)) AS w
    CROSS JOIN LATERAL (SELECT c.name || ':' || w.lexeme AS lexeme) AS l
    CROSS JOIN LATERAL unnest(w.positions) AS position
    LEFT JOIN corpus_lexemestatistics s ON s.lexeme = l.lexeme
), rarity AS (
    SELECT position, ln(1 + (chunks - known + 0.5) / (known + 0.5)) AS idf
    FROM (
        SELECT w.position, f.chunks, least(coalesce(min(w.documents), 1), f.chunks) AS known
        FROM words w CROSS JOIN facts f GROUP BY w.position, f.chunks
    ) AS word
), lexemes AS (
    SELECT w.configuration, w.lexeme, coalesce(min(w.documents), 1) AS documents, sum(r.idf) AS weight,
           sum(sum(r.idf)) OVER (PARTITION BY w.configuration) AS asked
    FROM words w JOIN rarity r USING (position)
    GROUP BY w.configuration, w.lexeme
    ORDER BY documents, lexeme LIMIT %(max_lexemes)s
), ranked AS MATERIALIZED (
    SELECT *, row_number() OVER rarest = 1 OR sum(documents) OVER rarest <= %(postings_read)s AS first
    FROM lexemes WINDOW rarest AS (ORDER BY documents, lexeme)
), found AS MATERIALIZED (
    SELECT p.chunk_id, p.scope, p.tf, r.weight, r.asked, r.configuration
    FROM ranked r CROSS JOIN LATERAL (
        SELECT chunk_id, scope, tf FROM corpus_posting
        WHERE lexeme = r.lexeme AND scope = ANY(%(scopes)s::smallint[]) OFFSET 0
    ) AS p
    WHERE r.first
), drafted AS (
    SELECT chunk_id, scope, configuration, asked, (scope = ANY(%(second)s::smallint[]))::int AS leg,
           sum(weight * tf / (tf + %(k1)s)) AS likely
    FROM found GROUP BY chunk_id, scope, configuration, asked
), best AS MATERIALIZED (
    SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY leg ORDER BY likely DESC, chunk_id) AS place FROM drafted
    ) AS placed WHERE place <= %(scored)s
), terms AS (
    SELECT b.chunk_id, f.weight, f.tf FROM best b JOIN found f USING (chunk_id)
    UNION ALL
    SELECT b.chunk_id, r.weight, p.tf
    FROM best b JOIN ranked r USING (configuration) CROSS JOIN LATERAL (
        SELECT tf FROM corpus_posting WHERE lexeme = r.lexeme AND chunk_id = b.chunk_id OFFSET 0
    ) AS p
    WHERE NOT r.first
), scored AS (
    SELECT b.leg, b.scope, t.chunk_id,
           round(sum(t.weight * t.tf * (%(k1)s + 1)
                     / (t.tf + %(k1)s * (1 - %(b)s + %(b)s * c.length / f.mean_length)))::numeric, 6) AS score
    FROM terms t JOIN best b USING (chunk_id) JOIN corpus_chunk c ON c.id = t.chunk_id CROSS JOIN facts f
    GROUP BY b.leg, b.scope, b.asked, t.chunk_id
    HAVING sum(t.weight) >= %(floor)s * b.asked
)
SELECT leg, chunk_id, score::float8 FROM (
    SELECT *, row_number() OVER (PARTITION BY leg ORDER BY score DESC, scope, chunk_id) AS place FROM scored
) AS placed
WHERE place <= (%(limits)s::int[])[leg + 1]
ORDER BY leg, place
"""


def keyword_params(text: str, legs: Sequence[tuple[Sequence[int], int]]) -> dict[str, Any]:
    """The statement's parameters for one or two legs, each (scopes, limit). The text is made storable and bounded."""
    second = list(legs[1][0]) if len(legs) > 1 else []
    return {
        "text": plain_text(text),
        "scopes": [scope for scopes, _ in legs for scope in scopes],
        "second": second,
        "limits": [limit for _, limit in legs],
        "max_lexemes": MAX_LEXEMES,
        "postings_read": POSTINGS_READ,
        "scored": SCORED,
        "k1": K1,
        "b": B,
        "floor": KEYWORD_FLOOR,
    }


def plain_text(text: str) -> str:
    """The first MAX_TEXT characters as Postgres takes them: without NUL and lone surrogates."""
    return text[:MAX_TEXT].replace("\x00", " ").encode("utf-8", "ignore").decode("utf-8")
