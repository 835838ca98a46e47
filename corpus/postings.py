"""The keyword channel's inverted index and the statistics it is read with.

A lexeme is `<configuration>:<stem>`, stemmed in the document's own language. Postings are written in the transaction
that writes their chunks. Statistics are not: one locked recount follows after changes, so that concurrent ingestions
never wait for each other's words, and ranks stay fixed between two recounts.
"""

import logging
import uuid
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from django.db import connection, transaction

from corpus.errors import EmbedderUnavailable
from corpus.models import Chunk, CorpusStatistics, EmbeddingSpace
from corpus.models.spaces import Vector, best_similarities, vectors_published

logger = logging.getLogger(__name__)

TITLE_WEIGHT = 2.0
HEADING_WEIGHT = 1.5
TEXT_WEIGHT = 1.0
"""How much one occurrence counts by field: a word of the title says more about a chunk than one of its text. Ours."""

MIN_FLOOR_CHUNKS = 200
"""Published chunks under which there is no floor: so few say too little about what a chance likeness looks like."""
CHANGED_SHARE = 0.1
"""The share of published chunks that must have changed for the floors to be measured anew."""

_STATISTICS_LOCK = 0x5EC0AC7

_CONFIGURATIONS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}

_WRITE = """
WITH fields AS (
    SELECT c.id AS chunk, f.weight, to_tsvector(%(configuration)s::regconfig, f.body) AS words
    FROM corpus_chunk c
    CROSS JOIN LATERAL (VALUES
        (%(title_weight)s::float8, %(title)s::text),
        (%(heading_weight)s::float8, array_to_string(c.heading_path, ' ')),
        (%(text_weight)s::float8, c.text)
    ) AS f(weight, body)
    WHERE c.id = ANY(%(chunks)s)
), counted AS (
    SELECT f.chunk, w.lexeme, sum(f.weight * cardinality(w.positions)) AS tf
    FROM fields f CROSS JOIN LATERAL unnest(f.words) AS w
    GROUP BY f.chunk, w.lexeme
), written AS (
    INSERT INTO corpus_posting (lexeme, scope, chunk_id, tf, length)
    SELECT %(configuration)s || ':' || lexeme, %(scope)s::smallint, chunk, tf,
           round(sum(tf) OVER (PARTITION BY chunk))
    FROM counted
    RETURNING chunk_id, length
)
UPDATE corpus_chunk AS c
SET length = coalesce((SELECT max(w.length) FROM written w WHERE w.chunk_id = c.id), 0)
WHERE c.id = ANY(%(chunks)s)
RETURNING c.id, c.length
"""

# One statement, hence one snapshot: what it counts and the number of changes it covers belong together.
_RECOUNT = """
WITH counted AS MATERIALIZED (
    SELECT lexeme, count(*) AS documents FROM corpus_posting WHERE scope IS NOT NULL GROUP BY lexeme
), gone AS (
    DELETE FROM corpus_lexemestatistics s WHERE NOT EXISTS (SELECT FROM counted c WHERE c.lexeme = s.lexeme)
), kept AS (
    INSERT INTO corpus_lexemestatistics AS s (lexeme, documents) SELECT lexeme, documents FROM counted
    ON CONFLICT (lexeme) DO UPDATE SET documents = excluded.documents WHERE s.documents <> excluded.documents
), published AS (
    SELECT count(*) AS chunks, coalesce(avg(c.length), 0) AS mean_length
    FROM corpus_chunk c JOIN corpus_document d ON d.id = c.document_id WHERE d.status = 'published'
), configurations AS (
    SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') AS names
    FROM (SELECT DISTINCT split_part(lexeme, ':', 1) AS name FROM counted) AS used
)
UPDATE corpus_corpusstatistics AS s
SET chunks = p.chunks, mean_length = p.mean_length, configurations = c.names,
    counted_changes = (SELECT changes FROM corpus_corpusstatistics), computed_at = statement_timestamp()
FROM published p, configurations c
"""


def configuration_of(language: str) -> str:
    """The text search configuration of a language tag: `en-GB` gives `english`, an unknown one `simple`."""
    return _CONFIGURATIONS.get(language.strip().lower().replace("_", "-").split("-")[0], "simple")


def postings_write(chunks: Sequence[Chunk], *, title: str, language: str, scope: int | None) -> None:
    """Replace the postings of stored chunks, and set their lengths, in the current transaction."""
    if not chunks:
        return
    ids = [chunk.pk for chunk in chunks]
    with transaction.atomic():
        _execute("DELETE FROM corpus_posting WHERE chunk_id = ANY(%(chunks)s)", {"chunks": ids})
        rows = _execute(
            _WRITE,
            {
                "chunks": ids,
                "configuration": configuration_of(language),
                "scope": scope,
                "title": title,
                "title_weight": TITLE_WEIGHT,
                "heading_weight": HEADING_WEIGHT,
                "text_weight": TEXT_WEIGHT,
            },
        )
    lengths = dict(rows)
    for chunk in chunks:
        chunk.length = lengths[chunk.pk]


def postings_rescope(document_id: uuid.UUID, scope: int | None) -> None:
    """Give a document's postings another scope, in the current transaction."""
    _execute(
        "UPDATE corpus_posting AS p SET scope = %(scope)s FROM corpus_chunk c"
        " WHERE c.id = p.chunk_id AND c.document_id = %(document)s AND p.scope IS DISTINCT FROM %(scope)s",
        {"scope": scope, "document": document_id},
    )


def statistics_changed(count: int) -> None:
    """Count published chunks that appeared, changed or went. Call it last: it holds the one row until the commit."""
    _execute(
        "INSERT INTO corpus_corpusstatistics AS s"
        " (id, chunks, mean_length, configurations, changes, counted_changes) VALUES (1, 0, 0, '[]', %(count)s, 0)"
        " ON CONFLICT (id) DO UPDATE SET changes = s.changes + excluded.changes",
        {"count": count},
    )


def statistics_rebuild(*, embed: Callable[[EmbeddingSpace, Sequence[str]], list[Vector]]) -> bool:
    """Recount lexemes and measure floors where published chunks have changed. Whether anything was done.

    Only one process does it at a time; another returns False at once. `embed` turns texts into a space's vectors; a
    space whose embedder is unavailable keeps its floor until the next time.
    """
    recounted = _recount()
    # A space that is being built is measured when it is complete: before, its likenesses change with every batch.
    complete = EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.BUILDING).order_by("pk")
    measured = [space for space in complete if floor_measure(space, embed)]
    return recounted or bool(measured)


def _recount() -> bool:
    """Recount lexemes in one transaction if anything has changed and nobody else is at it."""
    with transaction.atomic():
        if not _locked():
            return False
        statistics = CorpusStatistics.objects.filter(pk=1).first()
        if statistics is None or statistics.changes == statistics.counted_changes:
            return False
        _execute(_RECOUNT)
        return True


def _locked() -> bool:
    """Whether this transaction now holds the lock under which statistics are written."""
    return bool(_execute("SELECT pg_try_advisory_xact_lock(%(lock)s)", {"lock": _STATISTICS_LOCK})[0][0])


def floor_measure(space: EmbeddingSpace, embed: Callable[[EmbeddingSpace, Sequence[str]], list[Vector]]) -> bool:
    """Measure a space's floor and coverage line if its published chunks have changed by a tenth. Whether it was."""
    changes = CorpusStatistics.objects.values_list("changes", flat=True).filter(pk=1).first() or 0
    published = vectors_published(space)
    changed = max(changes - space.floor_changes, abs(published - space.floor_chunks))
    if not changed or changed < CHANGED_SHARE * space.floor_chunks:
        return False
    try:
        # Before the lock is taken: an embedding service may take its time.
        vectors = embed(space, off_topic_questions()) if published else []
    except EmbedderUnavailable as error:
        logger.warning("floor of space %s not measured: %s", space.name, error)
        return False
    with transaction.atomic():
        if not _locked():
            return False
        space.floor, space.coverage = floor_and_coverage(best_similarities(space, vectors), published)
        space.floor_chunks, space.floor_changes = published, changes
        space.save(update_fields=["floor", "coverage", "floor_chunks", "floor_changes"])
    return True


def floor_and_coverage(off_topic: Sequence[float], published: int) -> tuple[float | None, float | None]:
    """The two lines from the best similarities of off-topic questions: their median, and their 90th percentile.

    No floor under MIN_FLOOR_CHUNKS published chunks; the coverage line, which hides nothing, needs only some.
    """
    if len(off_topic) < 2:
        return None, None
    return (median(off_topic) if published >= MIN_FLOOR_CHUNKS else None), quantiles(off_topic, n=10)[-1]


@cache
def off_topic_questions() -> tuple[str, ...]:
    """The 200 shipped questions that no library of ours is about."""
    path = Path(__file__).with_name("off_topic.txt")
    return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)


def _execute(statement: str, params: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """Run one statement on this thread's connection; its rows, if it returns any."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchall() if cursor.description else []
