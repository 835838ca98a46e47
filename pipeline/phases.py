"""The two phases and broad_match: what each searches, and how its slots are filled. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.fusion import DOCUMENT_QUOTA, Candidate, Found, choose, fuse
from corpus.ordering import in_order
from corpus.search import Hit, Leg, PublishedChunk, VectorHits
from corpus.taxonomy import AUTHORITY_RANK, Authority, ContentType, scopes_of
from pipeline.intents import IntentRow
from pipeline.turn import RagResult

PHASE_1_SLOTS = 8
PHASE_2_SLOTS = 4
READ_FIRST = 40
"""How many candidates of a leg are read at first: nearly always enough to choose from, and a fifth of what is found."""
BROAD_MATCH_UNDER = 3
BROAD_MATCH_SLOTS = 4
SUPPORTING_CANDIDATES = 20
"""How many supporting chunks a channel offers; they only fill what others leave free."""

EVERYTHING = Leg(scopes_of(Authority, ContentType))


@dataclass(frozen=True, slots=True)
class Plan:
    """The legs of each phase. The second of phase 2, where there is one, holds the supporting sources."""

    phase_1: tuple[Leg, ...]
    phase_2: tuple[Leg, ...]
    full_corpus: bool


def plan_of(row: IntentRow) -> Plan:
    """What an intent's row searches in each phase."""
    others = [authority for authority in row.authorities if authority is not Authority.PRIMARY]
    extending = [authority for authority in others if authority is not Authority.SUPPORTING]
    phase_2 = [Leg(scopes_of(extending, row.content_types))] if others else []
    if Authority.SUPPORTING in others:
        phase_2.append(Leg(scopes_of([Authority.SUPPORTING], row.content_types), SUPPORTING_CANDIDATES))
    return Plan((Leg(scopes_of([Authority.PRIMARY], row.content_types)),), tuple(phase_2), row.full_corpus)


Legs = tuple[tuple[Hit, ...], ...]
"""A channel's hits of each leg, best first."""


@dataclass(frozen=True, slots=True)
class PhaseFound:
    """What both channels found of the legs of a phase."""

    vector: VectorHits
    keyword: Legs

    @property
    def legs(self) -> list[dict[int, Found]]:
        """Both channels as one, each leg for itself: its ranks are its own."""
        return [
            fuse(
                [(hit.chunk, hit.score) for hit in near],
                [(hit.chunk, hit.score) for hit in worded],
                {hit.chunk: hit.match for hit in worded},
            )
            for near, worded in zip(self.vector.legs, self.keyword, strict=True)
        ]

    @property
    def likely(self) -> set[int]:
        """The chunks of each leg that fuse best; those of the last one's score all belong to it."""
        return {found.chunk for leg in self.legs for found in _best(leg.values())}

    @property
    def chunks(self) -> set[int]:
        """Every chunk found."""
        return {hit.chunk for leg in (*self.vector.legs, *self.keyword) for hit in leg}

    def candidates(self, published: Mapping[int, PublishedChunk]) -> list[list[Candidate]]:
        """The candidates of each leg: found chunks that are published."""
        return [_candidates_of(leg.values(), published) for leg in self.legs]


def _candidates_of(found: Iterable[Found], published: Mapping[int, PublishedChunk]) -> list[Candidate]:
    """Found chunks with what choosing needs to know of them; those not published are left out."""
    return [
        Candidate(
            found=one,
            document=chunk.document,
            ordinal=chunk.ordinal,
            authority=AUTHORITY_RANK[chunk.authority],
            content_hash=chunk.content_hash,
            text=chunk.text,
        )
        for one in found
        if (chunk := published.get(one.chunk)) is not None
    ]


def _best(found: Collection[Found]) -> list[Found]:
    """The first READ_FIRST by fused score, with all that share the last one's."""
    line = sorted((one.score for one in found), reverse=True)[:READ_FIRST]
    return [one for one in found if one.score >= line[-1]]


def settled(plan: Plan, first: Sequence[Candidate], second: Sequence[Candidate]) -> bool:
    """Whether chunks that fuse worse than those that were read change nothing: every slot is taken, within quota."""
    slots = PHASE_1_SLOTS + (PHASE_2_SLOTS if plan.phase_2 else 0)
    most = max((number for phase in (first, second) for number in _a_document(phase).values()), default=0)
    return len(first) + len(second) == slots and most <= DOCUMENT_QUOTA


def _a_document(chosen: Sequence[Candidate]) -> Counter[str]:
    return Counter(one.document for one in chosen)


def fill_phases(
    plan: Plan, found_1: PhaseFound, found_2: PhaseFound, published: Mapping[int, PublishedChunk]
) -> tuple[list[Candidate], list[Candidate]]:
    """What phase 1 and phase 2 choose. In the full corpus, slots one cannot fill pass to the other."""
    (primary,) = found_1.candidates(published)
    legs = found_2.candidates(published)
    extending, supporting = (legs[0] if legs else []), (legs[1] if len(legs) > 1 else [])
    both = PHASE_1_SLOTS + PHASE_2_SLOTS
    first = choose(primary, PHASE_1_SLOTS)
    slots = both - len(first) if plan.full_corpus else PHASE_2_SLOTS
    second = _fill_second(extending, supporting, slots, beside=first)
    if plan.full_corpus and len(second) < PHASE_2_SLOTS:
        first = choose(primary, both - len(second))
        second = _fill_second(extending, supporting, both - len(first), beside=first)
    return in_order(first), second


def _fill_second(
    extending: Sequence[Candidate], supporting: Sequence[Candidate], slots: int, *, beside: Sequence[Candidate]
) -> list[Candidate]:
    """Phase 2: supporting sources take only the slots that the others leave free, and come after them."""
    chosen = choose(extending, slots, beside=beside)
    rest = choose(supporting, slots - len(chosen), beside=[*beside, *chosen])
    return in_order(chosen) + in_order(rest)


def is_thin(results: Sequence[RagResult], *, coverage: float | None, floor: float | None) -> bool:
    """Whether broad_match has to help: fewer than three results; or, where there is no floor, none that stands out.

    Without a floor, as in a small library, the vector channel fills its slots with whatever is in scope. A result
    stands out when it shares words with the question and reaches the coverage line.
    """
    if len(results) < BROAD_MATCH_UNDER:
        return True
    if floor is not None or coverage is None:
        return False
    return not covered([result for result in results if result.keyword_rank], coverage)


def keep_best(first: Sequence[Candidate], second: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """The best of both phases, as few as leave broad_match its place."""
    best = sorted([*first, *second], key=lambda one: one.order)[: BROAD_MATCH_UNDER - 1]
    return [one for one in first if one in best], [one for one in second if one in best]


def fill_broad_match(
    found: PhaseFound, published: Mapping[int, PublishedChunk], taken: Sequence[Candidate]
) -> list[Candidate]:
    """What broad_match adds to the few that the phases have chosen."""
    numbers = {one.found.chunk for one in taken}
    (candidates,) = found.candidates(published)
    others = [one for one in candidates if one.found.chunk not in numbers]
    return in_order(choose(others, BROAD_MATCH_SLOTS, beside=taken))


def covered(results: Iterable[RagResult], line: float | None) -> bool:
    """Whether the best chunk reaches the coverage line; without one, whether there is any near chunk."""
    similarities = [result.similarity for result in results if result.similarity is not None]
    return bool(similarities) and (line is None or max(similarities) >= line)


def results_of(
    chosen: Iterable[Candidate], published: Mapping[int, PublishedChunk], phase: str
) -> tuple[RagResult, ...]:
    """Chosen candidates as results of a phase, in their order."""
    return tuple(
        replace(
            result_of(published[one.found.chunk], phase),
            rrf_score=one.found.score,
            similarity=one.found.similarity,
            vector_rank=one.found.vector_rank,
            keyword_score=one.found.keyword_score,
            keyword_rank=one.found.keyword_rank,
        )
        for one in chosen
    )


def results_of_both(
    first: Iterable[Candidate], second: Iterable[Candidate], published: Mapping[int, PublishedChunk]
) -> tuple[RagResult, ...]:
    """What both phases chose as results, the first phase's first."""
    return (*results_of(first, published, "phase_1"), *results_of(second, published, "phase_2"))


def result_of(chunk: PublishedChunk, phase: str) -> RagResult:
    """A published chunk as a result that no channel ranked."""
    return RagResult(
        chunk=chunk.id,
        public_id=chunk.public_id,
        document=chunk.document,
        title=chunk.title,
        content=chunk.text,
        authority=chunk.authority,
        content_type=chunk.content_type,
        heading_path=chunk.heading_path,
        locator=chunk.locator,
        ordinal=chunk.ordinal,
        source=", ".join(part for part in (chunk.creator, chunk.title) if part),
        phase=phase,
        rrf_score=0.0,
    )
