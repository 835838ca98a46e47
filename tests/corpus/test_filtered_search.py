"""Filtered vector search against comparing every vector, for the scopes of each intent."""

import hashlib
from asyncio import run

import numpy as np
import pytest
from django.db import connection

from corpus.embeddings import QueryVector, Vector
from corpus.models import Chunk, Document, EmbeddingSpace
from corpus.models.spaces import vectors_write
from corpus.search import Leg, Search
from corpus.taxonomy import Authority, ContentType, scope_of, scopes_of
from pipeline.intents import INTENT_TABLE
from tests.corpus.conftest import DIMENSION

CHUNKS, DEPTH, QUESTIONS = 1_000, 48, 10
RARE = scope_of(Authority.PRIMARY, ContentType.QUOTE)
SCOPES = scopes_of(Authority, ContentType)
TABLE_SETS = sorted({scopes_of(row.authorities, row.content_types) for row in INTENT_TABLE.values()})


@pytest.fixture
def scattered(space: EmbeddingSpace) -> dict[int, tuple[int, Vector]]:
    """Vectors in all directions, of every scope; one in a thousand is a primary quote."""
    chance = np.random.default_rng(7)
    document = Document.objects.create(title="A", authority="primary", content_type="quote", status="published")
    chunks = Chunk.objects.bulk_create(
        Chunk(
            document=document,
            ordinal=number,
            text=str(number),
            content_hash=hashlib.sha256(str(number).encode()).hexdigest(),
            embed_hash="",
            tokens=1,
        )
        for number in range(CHUNKS)
    )
    common = [scope for scope in SCOPES if scope != RARE]
    placed = {}
    for number, chunk in enumerate(chunks):
        vector = chance.normal(size=DIMENSION).astype(np.float32)
        placed[chunk.pk] = (common[number % len(common)] if number else RARE, vector / np.linalg.norm(vector))
    vectors_write(space, [(chunk, scope, vector) for chunk, (scope, vector) in placed.items()])
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {space.table}")
    return placed


def questions() -> list[Vector]:
    chance = np.random.default_rng(11)
    found = chance.normal(size=(QUESTIONS, DIMENSION)).astype(np.float32)
    return list(found / np.linalg.norm(found, axis=1, keepdims=True))


def exact(placed: dict[int, tuple[int, Vector]], question: Vector, scopes: tuple[int, ...]) -> set[int]:
    inside = [(chunk, float(vector @ question)) for chunk, (scope, vector) in placed.items() if scope in scopes]
    return {chunk for chunk, _ in sorted(inside, key=lambda one: -one[1])[:DEPTH]}


def found(search: Search, question: Vector, scopes: tuple[int, ...]) -> list[int]:
    (hits,) = run(search.vector(QueryVector("test", question), [Leg(scopes, DEPTH)])).legs
    return [hit.chunk for hit in hits]


@pytest.mark.parametrize("exact_rows", [-1, 5_000], ids=["by the index", "by comparing all"])
@pytest.mark.parametrize("scopes", [*TABLE_SETS, (RARE,)], ids=lambda scopes: f"{len(scopes)} scopes")
def test_what_passes_the_filter_is_found_as_if_every_vector_were_compared(
    scattered: dict[int, tuple[int, Vector]],
    search: Search,
    monkeypatch: pytest.MonkeyPatch,
    scopes: tuple[int, ...],
    exact_rows: int,
) -> None:
    monkeypatch.setattr("corpus.search.EXACT_ROWS", exact_rows)
    expected = [exact(scattered, question, scopes) for question in questions()]
    met = [
        len(wanted & set(found(search, question, scopes)))
        for wanted, question in zip(expected, questions(), strict=True)
    ]
    assert sum(met) >= 0.99 * sum(map(len, expected))


def test_a_condition_that_is_always_true_changes_no_list(
    scattered: dict[int, tuple[int, Vector]], search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.search.EXACT_ROWS", -1)
    inside = tuple({scope for scope, _ in scattered.values()})
    for question in questions():
        assert found(search, question, inside) == found(search, question, SCOPES)


@pytest.mark.parametrize(("exact_rows", "index"), [(-1, "embedding_idx"), (5_000, "expr_scope_idx")])
def test_we_and_not_the_planner_choose_how_vectors_are_searched(
    scattered: dict[int, tuple[int, Vector]], search: Search, space: EmbeddingSpace, exact_rows: int, index: str
) -> None:
    def scans() -> dict[str, int]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_force_next_flush()")
            cursor.execute(
                "SELECT indexrelname, pg_stat_get_xact_numscans(indexrelid) FROM pg_stat_user_indexes"
                " WHERE relname = %s",
                [space.table],
            )
            return dict(cursor.fetchall())

    before = scans()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corpus.search.EXACT_ROWS", exact_rows)
        found(search, questions()[0], SCOPES)
    used = {name for name, number in scans().items() if number > before[name]}
    assert f"{space.table}_{index}" in used
    if index == "expr_scope_idx":
        assert f"{space.table}_embedding_idx" not in used
