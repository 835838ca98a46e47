from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.fusion import DOCUMENT_QUOTA, Candidate, Found, choose, fuse, rrf, shingles_of

WORDS = [f"word{number}" for number in range(200)]


def candidate(
    chunk: int, *, document: str = "", authority: int = 0, ordinal: int = 0, text: str = "", content_hash: str = ""
) -> Candidate:
    """The chunk that stands at this rank in both channels, unlike every other unless a text or hash is given."""
    return Candidate(
        found=Found(chunk, vector_rank=chunk, keyword_rank=chunk),
        document=document or f"document {chunk}",
        ordinal=ordinal,
        authority=authority,
        content_hash=content_hash or f"hash {chunk}",
        text=text or f"only in {chunk} " * 5,
    )


def chosen(candidates: list[Candidate], limit: int, *, beside: tuple[Candidate, ...] = ()) -> list[int]:
    return [one.found.chunk for one in choose(candidates, limit, beside=beside)]


def hits(letters: str) -> list[tuple[int, float]]:
    return [(ord(letter), 1 / place) for place, letter in enumerate(letters, start=1)]


@pytest.mark.parametrize(
    ("vector_rank", "keyword_rank", "score"),
    [(1, 1, 1), (1, None, 0.5), (None, 1, 0.5), (2, None, 61 * 0.5 / 62), (2, 4, 61 * (0.5 / 62 + 0.5 / 64))],
)
def test_a_fused_score_follows_the_formula(vector_rank: int | None, keyword_rank: int | None, score: float) -> None:
    assert rrf(vector_rank, keyword_rank) == pytest.approx(score)


def test_what_both_channels_found_stands_before_what_one_found() -> None:
    found = fuse(hits("XaY"), hits("bcY"))
    order = sorted(found.values(), key=lambda one: (-one.score, one.best_rank, one.chunk))
    assert "".join(chr(one.chunk) for one in order) == "YXbac"
    assert found[ord("X")].keyword_rank is None
    assert found[ord("X")].score == rrf(1, None)


def test_a_chunk_listed_twice_in_a_channel_counts_once() -> None:
    found = fuse(hits("XXY"), [])
    assert (found[ord("X")].vector_rank, found[ord("Y")].vector_rank) == (1, 2)


def test_one_document_does_not_fill_every_place() -> None:
    one = [candidate(number, document="long") for number in range(1, 7)]
    others = [candidate(7, document="b"), candidate(8, document="c")]
    assert chosen(one + others, 6) == [1, 2, 3, 4, 7, 8]


def test_slots_the_quota_leaves_free_go_back() -> None:
    one = [candidate(number, document="long") for number in range(1, 9)]
    assert chosen([*one, candidate(9)], 8) == [1, 2, 3, 4, 5, 6, 7, 9]


def test_overlapping_chunks_are_no_duplicates() -> None:
    first, second = " ".join(WORDS[:100]), " ".join(WORDS[50:150])
    assert chosen([candidate(1, text=first), candidate(2, text=second)], 5) == [1, 2]


@pytest.mark.parametrize(("changed", "left"), [(0, [1]), (2, [1]), (3, [1, 2])])
def test_nine_tenths_of_the_shingles_make_a_near_duplicate(changed: int, left: list[int]) -> None:
    words = WORDS[:104]  # 100 shingles, of which each changed word spoils 5
    other = [f"new{place}" if place in range(10, 10 + changed * 10, 10) else word for place, word in enumerate(words)]
    pair = [candidate(1, text=" ".join(words)), candidate(2, text=" ".join(other).upper())]
    assert chosen(pair, 5) == left


def test_the_same_hash_is_the_same_text() -> None:
    assert chosen([candidate(1, content_hash="same"), candidate(2, content_hash="same")], 5) == [1]


def test_of_two_alike_the_higher_authority_stays() -> None:
    text = " ".join(WORDS)
    lower, higher = candidate(1, authority=2, text=text), candidate(2, authority=1, text=text)
    assert chosen([lower, higher, candidate(3)], 5) == [2, 3]
    assert chosen([lower], 5, beside=(candidate(9, text=text),)) == []


def test_short_texts_are_compared_whole() -> None:
    assert shingles_of("Think Different!") == shingles_of("think different")
    assert chosen([candidate(1, text="Dare to ask"), candidate(2, text="dare to ask.")], 5) == [1]
    assert chosen([candidate(1, text="..."), candidate(2, text="!!!")], 5) == [1, 2]


def test_ties_follow_a_fixed_rule() -> None:
    def tied(chunk: int, authority: int, document: str, ordinal: int, rank: int, *, vector: bool = True) -> Candidate:
        found = Found(chunk, vector_rank=rank) if vector else Found(chunk, keyword_rank=rank)
        return Candidate(found, document, ordinal, authority, f"hash {chunk}", f"text {chunk}")

    candidates = [
        tied(1, 1, "a", 0, 3),
        tied(2, 0, "b", 1, 3, vector=False),
        tied(3, 0, "b", 0, 3),
        tied(4, 0, "a", 9, 3),
        tied(5, 2, "z", 0, 1),
    ]
    assert chosen(candidates, 5) == [5, 4, 3, 2, 1]


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        found=st.builds(
            Found,
            chunk=st.integers(1, 10_000),
            vector_rank=st.integers(1, 100),
            keyword_rank=st.none() | st.integers(1, 100),
        ),
        document=st.sampled_from("abc"),
        ordinal=st.integers(0, 50),
        authority=st.integers(0, 3),
        content_hash=st.text("0123", min_size=1, max_size=3),
        text=st.lists(st.sampled_from(WORDS[:8]), min_size=1, max_size=12).map(" ".join),
    ),
    max_size=30,
    unique_by=lambda one: one.found.chunk,
)


@given(candidates=CANDIDATES, limit=st.integers(0, 12), data=st.data())
def test_the_order_of_arrival_never_matters(candidates: list[Candidate], limit: int, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(candidates))
    chunks = {one.order for one in candidates}
    if len(chunks) == len(candidates):
        assert choose(shuffled, limit) == choose(candidates, limit)


@given(candidates=CANDIDATES, limit=st.integers(0, 12))
def test_what_is_chosen_is_bounded_ordered_unlike_and_fairly_shared(candidates: list[Candidate], limit: int) -> None:
    result = choose(candidates, limit)
    every = choose(candidates, len(candidates))
    assert len(result) == min(limit, len(every))
    assert result == sorted(result, key=lambda one: one.order)
    assert len({one.content_hash for one in result}) == len(result)
    counts, offered = Counter(one.document for one in result), Counter(one.document for one in every)
    if max(counts.values(), default=0) > DOCUMENT_QUOTA:
        # More than the quota only where every other document has given all it may.
        assert all(counts[document] >= min(DOCUMENT_QUOTA, offered[document]) for document in offered)


@given(st.integers(1, 500), st.none() | st.integers(1, 500))
def test_a_better_rank_never_scores_less(rank: int, other: int | None) -> None:
    assert rrf(rank, other) > rrf(rank + 1, other) > 0
    assert rrf(rank, other) <= 1


RANK = st.none() | st.integers(1, 200)


@given(RANK, RANK, st.floats(0, 1), st.integers(1, 200))
def test_a_fused_score_lies_between_0_and_1_whatever_the_weight(
    vector_rank: int | None, keyword_rank: int | None, weight: float, k: int
) -> None:
    assert 0 <= rrf(vector_rank, keyword_rank, k=k, weight=weight) <= 1 + 1e-9


@given(RANK, RANK)
def test_a_weight_of_0_or_1_leaves_one_channel(vector_rank: int | None, keyword_rank: int | None) -> None:
    assert rrf(vector_rank, keyword_rank, weight=1) == rrf(vector_rank, None, weight=1)
    assert rrf(vector_rank, keyword_rank, weight=0) == rrf(None, keyword_rank, weight=0)


@given(st.integers(1, 200), RANK)
def test_a_channel_that_found_nothing_scores_less_than_any_rank(rank: int, other: int | None) -> None:
    assert rrf(rank, other) > rrf(None, other)
    assert rrf(other, rank) > rrf(other, None)


@given(st.permutations(range(30)), st.permutations(range(30)))
def test_fusing_tells_ranks_by_place_and_never_by_the_chunks_number(vector: list[int], keyword: list[int]) -> None:
    found = fuse([(chunk, 1.0) for chunk in vector], [(chunk, 1.0) for chunk in keyword])
    assert all(found[chunk].vector_rank == place for place, chunk in enumerate(vector, start=1))
    assert all(found[chunk].keyword_rank == place for place, chunk in enumerate(keyword, start=1))
