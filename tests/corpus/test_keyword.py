import random
from asyncio import run
from collections import defaultdict
from math import log

import pytest
from django.db import connection

from corpus.keyword import K1, KEYWORD_FLOOR, MAX_TEXT, B, keyword_params, plain_text
from corpus.models import CorpusStatistics, LexemeStatistics, Posting
from corpus.search import Leg, Search
from corpus.taxonomy import Authority, ContentType, scopes_of
from tests.corpus.conftest import Library

EVERYTHING = Leg(scopes_of(Authority, ContentType))


def lexemes(text: str) -> dict[str, int]:
    """The English lexemes of a text, and how often each is said."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 'english:' || lexeme, cardinality(positions) FROM unnest(to_tsvector('english', %s))", [text]
        )
        return dict(cursor.fetchall())


def by_the_book(text: str) -> dict[int, float]:
    """BM25 of every published chunk that matches a quarter of the question's idf, from its definition."""
    facts = CorpusStatistics.objects.get()
    said = lexemes(text)
    known = dict(LexemeStatistics.objects.filter(lexeme__in=said).values_list("lexeme", "documents"))
    idf = {one: log(1 + (facts.chunks - (df := known.get(one, 1)) + 0.5) / (df + 0.5)) for one in said}
    scores: defaultdict[int, float] = defaultdict(float)
    matched: defaultdict[int, float] = defaultdict(float)
    for one in Posting.objects.filter(lexeme__in=said, scope__isnull=False).select_related("chunk"):
        weight = said[one.lexeme] * idf[one.lexeme]
        matched[one.chunk_id] += weight
        scores[one.chunk_id] += (
            weight * one.tf * (K1 + 1) / (one.tf + K1 * (1 - B + B * one.chunk.length / facts.mean_length))
        )
    asked = sum(said[one] * idf[one] for one in said)
    return {chunk: score for chunk, score in scores.items() if matched[chunk] >= KEYWORD_FLOOR * asked - 1e-9}


@pytest.mark.parametrize("postings_read", [1, 20, 20_000])
def test_scores_are_bm25_however_few_postings_are_read_first(
    library: Library, search: Search, monkeypatch: pytest.MonkeyPatch, postings_read: int
) -> None:
    monkeypatch.setattr("corpus.keyword.POSTINGS_READ", postings_read)
    chance = random.Random(7)
    words = [f"word{chr(97 + number)}" for number in range(12)]
    for title in ("One", "Two", "Three"):
        texts = [" ".join(chance.choices(words, range(1, 13), k=chance.randint(3, 30))) for _ in range(15)]
        library.add(title, *texts)
    library.count()
    for _ in range(5):
        question = " ".join(chance.choices(words, k=4))
        (hits,) = run(search.keyword(question, [EVERYTHING]))
        expected = by_the_book(question)
        for hit in hits:
            assert hit.score == pytest.approx(expected[hit.chunk], abs=1e-5)
            assert 0 < hit.match < 1
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        if postings_read == 20_000:
            assert {hit.chunk for hit in hits} == set(expected)


def test_a_match_is_the_part_of_what_the_question_could_give_whatever_else_is_found(
    library: Library, search: Search
) -> None:
    library.add("A", "zeal " * 200, "zeal and much else besides", *["another matter"] * 8)
    library.count()
    (hits,) = run(search.keyword("zeal", [EVERYTHING]))
    (doubled,) = run(search.keyword("zeal unheardof", [EVERYTHING]))
    assert hits[0].match > 0.9
    assert 0 < hits[1].match < hits[0].match
    assert doubled[0].match < 0.5


def test_a_text_is_made_storable_and_bounded() -> None:
    assert plain_text("a\x00b\ud800c") == "a bc"
    assert len(keyword_params("x" * 20_000, [((101,), 5)])["text"]) == MAX_TEXT
