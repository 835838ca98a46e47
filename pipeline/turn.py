"""The frozen values that pass between nodes. No Django, no events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from corpus.taxonomy import Authority, ContentType


class IntentKind(StrEnum):
    """What a member wants with a question."""

    CONCEPT_EXPLANATION = "concept_explanation"
    ACTIONABLE_ADVICE = "actionable_advice"
    PERSONAL_STORY = "personal_story"
    BOOK_REFERENCE = "book_reference"
    CASE_STUDY = "case_study"
    EXPLORATION = "exploration"
    GENERAL = "general"


class StopReason(StrEnum):
    """Why an answer ended."""

    COMPLETE = "complete"
    CUT = "cut"
    REFUSED = "refused"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class MemberContext:
    """What the companion may know of who is asking."""

    stage: str | None = None
    stage_name: str = ""
    stage_framing: str = ""
    persona: str | None = None
    country: str = ""


@dataclass(frozen=True, slots=True)
class MemoryTurn:
    """An earlier turn of the conversation, oldest first in `TurnRequest.memory`."""

    question: str
    standalone: str
    answer: str
    status: str
    concepts: tuple[str, ...] = ()
    clarification: str = ""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One accepted question with all a run needs to answer it."""

    turn: str
    conversation: str
    number: int
    question: str
    memory: tuple[MemoryTurn, ...] = ()
    answers: MemoryTurn | None = None
    """The clarification this question answers."""
    answer_anyway: bool = False
    continue_from: str = ""
    """The answer so far, when a cut answer is to be continued."""
    member: MemberContext = MemberContext()


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text to embed and its share of the query vector; shares of a query sum to 1."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is searched for: keywords for the keyword channel, weighted texts for the vector channel."""

    keywords: str
    texts: tuple[WeightedText, ...]


@dataclass(frozen=True, slots=True)
class Intent:
    """What the intent node found. From 0 to 1: `confidence` in the kind, `clarity` of what the question asks."""

    kind: IntentKind
    confidence: float
    clarity: float
    standalone: str
    search: SearchQuery
    concepts: tuple[str, ...] = ()
    needs_retrieval: bool = True
    small_talk: bool = False
    readings: tuple[str, ...] = ()
    refers_to_absent: bool = False
    care: bool = False
    degraded: bool = False
    prompt_version: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    model: str = ""
    """The provider's name of the model whose tokens `usage` counts; none for the local adapters."""


@dataclass(frozen=True, slots=True)
class Clarification:
    """The gate's verdict that the question cannot be answered as it stands."""

    rule: str
    question: str
    options: tuple[str, ...] = ()
    """0 to 4 readings. "Answer anyway" is always offered beside them by the client."""


@dataclass(frozen=True, slots=True)
class RagResult:
    """One retrieved chunk with why it stands where it stands."""

    chunk: int
    public_id: str
    document: str
    title: str
    content: str
    authority: Authority
    content_type: ContentType
    heading_path: tuple[str, ...]
    locator: Mapping[str, str]
    ordinal: int
    source: str
    """Creator and title as one line."""
    phase: str
    """phase_1, phase_2 or broad_match."""
    rrf_score: float
    similarity: float | None = None
    vector_rank: int | None = None
    keyword_score: float | None = None
    keyword_rank: int | None = None


@dataclass(frozen=True, slots=True)
class GraphResult:
    """One item of the graph look-up: a relationship with its proof, or a persona chunk; never both."""

    entities: tuple[str, ...]
    relationships: tuple[str, ...]
    persona_context: tuple[RagResult, ...]
    origin: str
    """neo4j or postgres."""
    score: int = 0
    proof: RagResult | None = None
    asked: tuple[str, ...] = ()
    """Those of the entities that the question names."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What retrieval hands on. The two sets stay apart."""

    rag_results: tuple[RagResult, ...] = ()
    graph_results: tuple[GraphResult, ...] = ()
    covered: bool = True
    """False when even the best chunk is under the coverage line: the answerer should doubt."""
    nearest: str = ""
    """Title of the nearest document, when nothing was found."""
    space: str = ""
    degraded: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds a channel."""


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered source as the models read it and the member sees it; numbers count from 1."""

    number: int
    document: str
    chunk: str
    title: str
    authority: Authority
    content_type: ContentType
    locator: Mapping[str, str]
    heading_path: tuple[str, ...]
    text: str
    excerpt: str
    """At most 300 characters of the text."""
    link: str
    data: str = ""
    """The text as models read it: between delimiters that it cannot close."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the models read: sources in order, primary first, and the relations that a source proves."""

    sources: tuple[Source, ...] = ()
    relationships: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    covered: bool = True
    dropped: int = 0
    """Chunks left out for the budget."""
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """That the answer's span [start, end) in code points rests on these words of a source."""

    source: int
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """The end of an answer."""

    stop_reason: StopReason
    sources_used: tuple[int, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    prompt_version: str = ""
    degraded: bool = False
    model: str = ""


AnswerPart = Delta | Citation | AnswerEnd


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A follow-up question and why it is offered; plain text, at most 140 characters."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The follow-ups of a turn."""

    items: tuple[Suggestion, ...] = ()
    degraded: bool = False
    prompt_version: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    model: str = ""
