"""How two channels become one list: rank fusion, collapse of near-duplicates, quota. Pure.

Fusion alone says what is chosen. A list of candidates is in order of choice: best fused score first, and a fixed rule
for ties, so that the same question always gives the same list.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

RRF_K = 60
"""Cormack, Clarke and Buettcher, Reciprocal Rank Fusion, SIGIR 2009."""
VECTOR_WEIGHT = 0.5
SHINGLE_WORDS = 5
NEAR_DUPLICATE = 0.9
LOOKAHEAD = 20
"""How many later candidates of higher authority are compared with one before it stays: texts alike rank alike."""
DOCUMENT_QUOTA = 4
"""The most chunks of one document while another still offers one."""

_WORD = re.compile(r"\w+")
Shingles = frozenset[int]


def rrf(vector_rank: int | None, keyword_rank: int | None, *, k: int = RRF_K, weight: float = VECTOR_WEIGHT) -> float:
    """The fused score of ranks that count from 1: first in both channels is 1, a channel that found nothing adds 0."""
    vector = weight / (k + vector_rank) if vector_rank else 0.0
    keyword = (1 - weight) / (k + keyword_rank) if keyword_rank else 0.0
    return (1 + k) * (vector + keyword)


@dataclass(frozen=True, slots=True)
class Found:
    """Where the channels found a chunk, and with which scores."""

    chunk: int
    vector_rank: int | None = None
    similarity: float | None = None
    keyword_rank: int | None = None
    keyword_score: float | None = None
    keyword_match: float | None = None
    """The keyword score as a part of the highest the question could give."""

    @property
    def score(self) -> float:
        """The fused score."""
        return rrf(self.vector_rank, self.keyword_rank)

    @property
    def best_rank(self) -> int:
        """The better of its ranks."""
        return min(rank for rank in (self.vector_rank, self.keyword_rank) if rank)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A found chunk with what choosing needs to know of it. `authority` is its rank, 0 for the highest."""

    found: Found
    document: str
    ordinal: int
    authority: int
    content_hash: str
    text: str = field(repr=False)

    @property
    def order(self) -> tuple[float, int, int, str, int]:
        """What candidates are sorted by: score, authority, better best rank, document, ordinal."""
        return (-self.found.score, self.authority, self.found.best_rank, self.document, self.ordinal)


def fuse(
    vector: Sequence[tuple[int, float]],
    keyword: Sequence[tuple[int, float]],
    matches: Mapping[int, float] | None = None,
) -> dict[int, Found]:
    """Both channels' (chunk, score) lists, best first, as one; a chunk listed twice in a channel counts once."""
    near, worded = _places(vector), _places(keyword)
    found = {}
    for chunk in near | worded:
        vector_rank, similarity = near.get(chunk, (None, None))
        keyword_rank, keyword_score = worded.get(chunk, (None, None))
        match = (matches or {}).get(chunk)
        found[chunk] = Found(chunk, vector_rank, similarity, keyword_rank, keyword_score, match)
    return found


def _places(hits: Iterable[tuple[int, float]]) -> dict[int, tuple[int, float]]:
    """Rank and score of each chunk of one channel."""
    first: dict[int, float] = {}
    for chunk, score in hits:
        first.setdefault(chunk, score)
    return {chunk: (rank, score) for rank, (chunk, score) in enumerate(first.items(), start=1)}


def choose(candidates: Iterable[Candidate], limit: int, *, beside: Collection[Candidate] = ()) -> list[Candidate]:
    """The best `limit` candidates: none a near-duplicate of another or of those `beside`, within the quota.

    Slots that the quota leaves free go back to the best it held out.
    """
    chosen: list[Candidate] = []
    held_out: list[Candidate] = []
    a_document: Counter[str] = Counter()
    for candidate in collapse(sorted(candidates, key=lambda one: one.order), beside=beside):
        if len(chosen) >= limit:
            break
        if a_document[candidate.document] < DOCUMENT_QUOTA:
            a_document[candidate.document] += 1
            chosen.append(candidate)
        else:
            held_out.append(candidate)
    chosen += held_out[: max(0, limit - len(chosen))]
    return sorted(chosen, key=lambda one: one.order)


def collapse(ordered: Sequence[Candidate], *, beside: Collection[Candidate] = ()) -> Iterator[Candidate]:
    """Candidates in their order without near-duplicates: of two, the higher authority stays, else the earlier.

    Lazy, because shingling every candidate costs more than choosing the few that are needed.
    """
    kept = list(beside)
    for place, candidate in enumerate(ordered):
        if any(repeats(candidate, other) for other in kept):
            continue
        higher = (one for one in islice(ordered, place + 1, None) if one.authority < candidate.authority)
        if any(repeats(candidate, other) for other in islice(higher, LOOKAHEAD)):
            continue
        kept.append(candidate)
        yield candidate


def repeats(candidate: Candidate, other: Candidate) -> bool:
    """Whether nearly all that the candidate says stands in the other as well."""
    if candidate.content_hash == other.content_hash:
        return True
    mine = shingles_of(candidate.text)
    return len(mine & shingles_of(other.text)) >= NEAR_DUPLICATE * len(mine) > 0


@lru_cache(maxsize=256)
def shingles_of(text: str) -> Shingles:
    """Every run of five words of a text, lower-cased and hashed; a shorter text is one shingle."""
    words = _WORD.findall(text.lower())
    if len(words) < SHINGLE_WORDS:
        return frozenset([hash(tuple(words))] if words else [])
    return frozenset(map(hash, zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False)))
