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

# `share` is what of the question's idf is matched, `possible` the score no chunk can exceed; `most`, `flat` and
# `per_length` are the constant parts of BM25: a posting adds most * tf / (tf + flat + per_length * length). "OFFSET 0"
# keeps a look-up a look-up, lexeme by lexeme.
KEYWORD: LiteralString = """
WITH facts AS MATERIALIZED (
    SELECT greatest(s.chunks, 1)::float8 AS chunks, greatest(s.mean_length, 1)::float8 AS mean_length,
           CASE WHEN jsonb_array_length(s.configurations) > 0 THEN s.configurations
                ELSE '["english", "simple"]' END AS configurations
    FROM (VALUES (1)) AS one(id) LEFT JOIN corpus_corpusstatistics s USING (id)
), words AS MATERIALIZED (
    SELECT c.configuration, l.lexeme, position,
           (SELECT documents FROM corpus_lexemestatistics WHERE lexeme = l.lexeme) AS documents
    FROM facts
    CROSS JOIN LATERAL jsonb_array_elements_text(facts.configurations) WITH ORDINALITY AS c(name, configuration)
    CROSS JOIN LATERAL unnest(to_tsvector(c.name::regconfig, %(text)s::text)) AS w
    CROSS JOIN LATERAL (SELECT c.name || ':' || w.lexeme AS lexeme OFFSET 0) AS l
    CROSS JOIN LATERAL unnest(w.positions) AS position
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
    SELECT l.*, row_number() OVER rarest = 1 OR sum(documents) OVER rarest <= %(postings_read)s AS first,
           l.weight / l.asked AS share, l.weight * (%(k1)s + 1) AS most, l.asked * (%(k1)s + 1) AS possible,
           %(k1)s * (1 - %(b)s) AS flat, %(k1)s * %(b)s / f.mean_length AS per_length
    FROM lexemes l CROSS JOIN facts f WINDOW rarest AS (ORDER BY documents, lexeme)
), best AS MATERIALIZED (
    (SELECT 0 AS leg, p.chunk_id, min(p.scope) AS scope, sum(r.share) AS share, min(r.possible) AS possible,
            sum(r.most * p.tf / (p.tf + r.flat + r.per_length * p.length)) AS score
     FROM ranked r CROSS JOIN LATERAL (
         SELECT chunk_id, scope, tf, length FROM corpus_posting
         WHERE lexeme = r.lexeme AND scope = ANY(%(scopes)s::smallint[]) OFFSET 0
     ) AS p
     WHERE r.first GROUP BY p.chunk_id ORDER BY score DESC, p.chunk_id LIMIT %(scored)s)
    UNION ALL
    (SELECT 1 AS leg, p.chunk_id, min(p.scope) AS scope, sum(r.share) AS share, min(r.possible) AS possible,
            sum(r.most * p.tf / (p.tf + r.flat + r.per_length * p.length)) AS score
     FROM ranked r CROSS JOIN LATERAL (
         SELECT chunk_id, scope, tf, length FROM corpus_posting
         WHERE lexeme = r.lexeme AND scope = ANY(%(second)s::smallint[]) OFFSET 0
     ) AS p
     WHERE r.first GROUP BY p.chunk_id ORDER BY score DESC, p.chunk_id LIMIT %(scored)s)
), rest AS (
    SELECT b.chunk_id, sum(r.share) AS share,
           sum(r.most * p.tf / (p.tf + r.flat + r.per_length * p.length)) AS score
    FROM best b CROSS JOIN ranked r CROSS JOIN LATERAL (
        SELECT tf, length FROM corpus_posting WHERE lexeme = r.lexeme AND chunk_id = b.chunk_id OFFSET 0
    ) AS p
    WHERE NOT r.first GROUP BY b.chunk_id
), scored AS (
    SELECT b.leg, b.scope, b.chunk_id, b.possible, round((b.score + coalesce(rest.score, 0))::numeric, 6) AS score
    FROM best b LEFT JOIN rest USING (chunk_id)
    WHERE b.share + coalesce(rest.share, 0) >= %(floor)s
)
SELECT leg, chunk_id, score::float8, score::float8 / possible FROM (
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
        "scopes": list(legs[0][0]),
        "second": second,
        "limits": [limit for _, limit in legs],
        "max_lexemes": MAX_LEXEMES,
        "postings_read": POSTINGS_READ,
        "scored": SCORED,
        "k1": K1,
        "b": B,
        # A share that is the floor to the last bit but one has reached it.
        "floor": KEYWORD_FLOOR - 1e-9,
    }


def plain_text(text: str) -> str:
    """The first MAX_TEXT characters as Postgres takes them: without NUL and lone surrogates."""
    return text[:MAX_TEXT].replace("\x00", " ").encode("utf-8", "ignore").decode("utf-8")
