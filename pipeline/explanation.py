"""Why a list of sources is as it is: every candidate of every leg with its ranks and scores, and what became of it.

The lists come from the retrieval node itself, run with a search that remembers (recording.py); what is added here is
told from what it remembered, by the functions that chose. Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from corpus.fusion import DOCUMENT_QUOTA, Candidate, collapse, repeats, rrf
from corpus.ordering import score_of
from corpus.search import Leg, PublishedChunk, VectorHits
from pipeline.phases import EVERYTHING, PHASE_1_SLOTS, PHASE_2_SLOTS, PhaseFound, Plan
from pipeline.recording import Legs, RecordingSearch
from pipeline.turn import Intent, RagResult, Retrieval

EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Line:
    """One candidate: where each channel put it, what that was worth, and what became of it."""

    chunk: PublishedChunk
    place: int | None
    """Its place among the sources, counted from 1; None when it was not chosen."""
    fate: str
    vector_rank: int | None
    similarity: float | None
    keyword_rank: int | None
    keyword_score: float | None
    keyword_match: float | None
    vector_term: float
    keyword_term: float
    fused: float
    """The sum of both terms: the fused score that chooses."""
    ordering: float
    """The score that orders what was chosen."""

    @property
    def excerpt(self) -> str:
        """The beginning of its text, on one line."""
        return " ".join(self.chunk.text.split())[:EXCERPT]


@dataclass(frozen=True, slots=True)
class LegLines:
    """The candidates of one leg, by fused score."""

    name: str
    lines: tuple[Line, ...]
    gone: int
    """How many were found and are not published any more."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question's whole retrieval. `asked` is None when nothing had to be retrieved."""

    intent: Intent
    retrieval: Retrieval
    legs: tuple[LegLines, ...]
    floor: float | None
    coverage: float | None


def explain(*, intent: Intent, plan: Plan, retrieval: Retrieval, recorded: RecordingSearch) -> Explanation:
    """Every leg that was searched, with the fate of each of its candidates."""
    places = {result.chunk: place for place, result in enumerate(retrieval.rag_results, start=1)}
    by_phase = {
        phase: [result for result in retrieval.rag_results if result.phase == phase]
        for phase in ("phase_1", "phase_2", "broad_match")
    }
    legs: list[LegLines] = []
    beside: list[Candidate] = []
    for name, asked in (("phase_1", plan.phase_1), ("phase_2", plan.phase_2), ("broad_match", (EVERYTHING,))):
        if asked not in recorded.keywords and asked not in recorded.vectors:
            continue
        found = _found(asked, recorded)
        for number, candidates in enumerate(found.candidates(recorded.published)):
            title = f"{name}, supporting" if number else name
            gone = len(found.legs[number]) - len(candidates)
            gave_way = bool(by_phase["broad_match"]) and name != "broad_match"
            told = _Leg(candidates, beside, places, by_phase[name], gave_way)
            legs.append(LegLines(title, told.lines(recorded.published), gone))
            beside = [*beside, *(one for one in candidates if one.found.chunk in places)]
    lines = list(recorded.vectors.values())
    floor = next((hits.floor for hits in lines if hits.floor is not None), None)
    coverage = next((hits.coverage for hits in lines if hits.coverage is not None), None)
    return Explanation(intent, retrieval, tuple(legs), floor, coverage)


def _found(asked: Legs, recorded: RecordingSearch) -> PhaseFound:
    """What both channels found of these legs; a channel that was not there found nothing."""
    nothing = tuple(() for _ in asked)
    return PhaseFound(recorded.vectors.get(asked, VectorHits(nothing)), recorded.keywords.get(asked, nothing))


class _Leg:
    """One leg's candidates, beside what earlier legs have put into the list."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        beside: Sequence[Candidate],
        places: Mapping[int, int],
        chosen: Sequence[RagResult],
        gave_way: bool,
    ) -> None:
        self.ordered = sorted(candidates, key=lambda one: one.order)
        self.places = places
        self.chosen = chosen
        self.beside = beside
        self.gave_way = gave_way
        self.kept = {one.found.chunk for one in collapse(self.ordered, beside=beside)}

    def lines(self, published: Mapping[int, PublishedChunk]) -> tuple[Line, ...]:
        """A line a candidate, best fused score first."""
        return tuple(self._line(one, published) for one in self.ordered)

    def _line(self, one: Candidate, published: Mapping[int, PublishedChunk]) -> Line:
        found = one.found
        return Line(
            chunk=published[found.chunk],
            place=self.places.get(found.chunk),
            fate=self._fate(one, published),
            vector_rank=found.vector_rank,
            similarity=found.similarity,
            keyword_rank=found.keyword_rank,
            keyword_score=found.keyword_score,
            keyword_match=found.keyword_match,
            vector_term=rrf(found.vector_rank, None),
            keyword_term=rrf(None, found.keyword_rank),
            fused=found.score,
            ordering=score_of(found),
        )

    def _fate(self, one: Candidate, published: Mapping[int, PublishedChunk]) -> str:
        if one.found.chunk in self.places:
            return f"source {self.places[one.found.chunk]}"
        if one.found.chunk not in self.kept:
            twin = self._twin(one)
            named = f"{published[twin.found.chunk].title}, chunk {twin.ordinal}" if twin else "another"
            return f"left out: nearly the same text as {named}"
        if sum(result.document == one.document for result in self.chosen) >= DOCUMENT_QUOTA:
            return f"left out: {DOCUMENT_QUOTA} chunks of its document are there, and others had something to offer"
        if self.gave_way:
            return "left out: too little was found, so only the best two of the phases stay beside broad_match"
        return "left out: the places went to better fused scores"

    def _twin(self, one: Candidate) -> Candidate | None:
        others: Collection[Candidate] = [*self.beside, *(other for other in self.ordered if other is not one)]
        return next((other for other in others if repeats(one, other)), None)


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known of a document that somebody expected among the sources."""

    title: str
    status: str
    scope: int | None
    nearest: float | None
    """The similarity of its nearest chunk to the question."""


def why_not(document: str, facts: DocumentFacts, plan: Plan, explanation: Explanation) -> tuple[str, ...]:
    """What became of a document, in sentences: those of its candidates, or why it had none."""
    lines = [line for leg in explanation.legs for line in leg.lines if line.chunk.document == document]
    if lines:
        return tuple(f"Chunk {line.chunk.ordinal}: {line.fate}." for line in lines)
    if facts.status != "published":
        return (f"It is not published: its status is {facts.status}.",)
    searched: tuple[Leg, ...] = (*plan.phase_1, *plan.phase_2)
    if not any(facts.scope in leg.scopes for leg in searched):
        return (f"The intent {explanation.intent.kind} does not search its authority and content type.",)
    reasons = []
    if facts.nearest is None:
        reasons.append("It has no vector in this space, or the question has none.")
    elif explanation.floor is not None and facts.nearest < explanation.floor:
        reasons.append(f"Its nearest chunk, at {facts.nearest:.3f}, lies under the floor of {explanation.floor:.3f}.")
    else:
        reasons.append(f"Its nearest chunk, at {facts.nearest:.3f}, is not among the nearest of its leg.")
    reasons.append(
        "No chunk of it matches a quarter of the question's words, by their rarity, among the best of its leg."
    )
    return tuple(reasons)


def slots_of(plan: Plan) -> str:
    """How many sources each phase may give."""
    passed = ", and what one cannot fill passes to the other" if plan.full_corpus else ""
    return f"{PHASE_1_SLOTS} of phase 1 and {PHASE_2_SLOTS} of phase 2{passed}"
