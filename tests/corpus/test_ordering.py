import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.fusion import Candidate, Found
from corpus.ordering import in_order, score_of

PART = st.none() | st.floats(0, 1)


def candidate(chunk: int, similarity: float | None, match: float | None) -> Candidate:
    found = Found(chunk, vector_rank=chunk, similarity=similarity, keyword_match=match)
    return Candidate(found=found, document=f"document {chunk}", ordinal=0, authority=0, content_hash="", text="")


def test_a_clear_first_stands_before_what_is_a_little_better_in_both_ranks() -> None:
    narrow, clear = candidate(1, 0.50, 0.31), candidate(2, 0.49, 0.9)
    assert in_order([narrow, clear]) == [clear, narrow]


def test_equal_scores_stay_in_the_order_of_choice() -> None:
    first, second = candidate(1, 0.5, 0.5), candidate(2, 0.5, 0.5)
    assert in_order([second, first]) == [first, second]


@pytest.mark.parametrize(("similarity", "match", "score"), [(1, 1, 1), (None, None, 0), (1, None, 0.6), (-0.2, 1, 0.4)])
def test_a_channel_that_found_nothing_adds_nothing(similarity: float, match: float, score: float) -> None:
    assert score_of(candidate(1, similarity, match).found) == pytest.approx(score)


@given(st.lists(st.tuples(PART, PART), max_size=8))
def test_it_only_permutes_and_whatever_comes_in_gives_the_same_order(
    scores: list[tuple[float | None, float | None]],
) -> None:
    chosen = [candidate(number, *pair) for number, pair in enumerate(scores, start=1)]
    ordered = in_order(chosen)
    assert sorted(one.found.chunk for one in ordered) == [one.found.chunk for one in chosen]
    assert in_order(ordered[::-1]) == ordered
    assert all(0 <= score_of(one.found) <= 1 for one in ordered)
