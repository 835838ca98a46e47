"""The order in which chosen chunks stand. Pure.

Reciprocal rank fusion alone says what is chosen; ranks, though, do not tell a clear first from a narrow one. Within
what was chosen both channels' scores do, each on a scale of its own that no other chunk moves: the cosine similarity,
and the keyword score as a part of the highest the question could give. docs/retrieval.md has what this is worth, and
what else was tried.
"""

from collections.abc import Sequence

from corpus.fusion import Candidate, Found

VECTOR_SHARE = 0.6
"""Between 0.5 and 0.7 it makes little difference."""


def score_of(found: Found) -> float:
    """From 0 to 1, and 1 for what could not match better. A channel that did not find the chunk adds nothing."""
    near = max(found.similarity or 0.0, 0.0)
    return VECTOR_SHARE * near + (1 - VECTOR_SHARE) * (found.keyword_match or 0.0)


def in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """The chosen by that score, then by the order of choice. Nothing is added or left out."""
    return sorted(chosen, key=lambda one: (-score_of(one.found), one.order))
