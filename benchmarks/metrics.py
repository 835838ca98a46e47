"""How good a ranked list is, by judgments. Gains are linear in the grade, as in trec_eval's ndcg_cut."""

from collections.abc import Mapping, Sequence
from math import log2


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """The discounted gain of the first `depth`, as a share of the best that is possible."""
    gained = sum(grades.get(one, 0) / log2(place + 1) for place, one in enumerate(ranked[:depth], start=1))
    ideal = sorted(grades.values(), reverse=True)[:depth]
    return gained / sum(grade / log2(place + 1) for place, grade in enumerate(ideal, start=1))


def recall(ranked: Sequence[str], grades: Mapping[str, int], depth: int) -> float:
    """The share of the relevant that stand among the first `depth`."""
    return sum(one in grades for one in ranked[:depth]) / len(grades)


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
