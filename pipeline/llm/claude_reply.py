"""The structured replies of Claude: their shape, and what becomes of them (pure).

The shape is given to the model as a JSON schema; what comes back is checked again here, since a proxy or a cut may
answer with anything.
"""

import re
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from pipeline.plain_text import plain_text
from pipeline.turn import Intent, IntentKind, SearchQuery, Suggestion, TurnRequest, WeightedText

MAX_TEXTS = 3
MAX_CONCEPTS = 8
MAX_CANDIDATES = 6
_CONCEPT_LENGTH = 60
_LONGEST_REWRITE = 600
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class WeighedText(_Strict):
    """A text to embed and its share of the query."""

    text: str
    weight: float = Field(description="above 0; the weights of a query sum to 1")


class IntentReply(_Strict):
    """What the intent node asks for."""

    intent: IntentKind
    confidence: float = Field(description="0 to 1, in the intent")
    clarity: float = Field(description="0 to 1, that the question says what is asked")
    standalone: str = Field(description="the question so that it stands alone")
    keywords: str = Field(description="the words to search for")
    texts: list[WeighedText] = Field(description="one to three texts to embed")
    concepts: list[str] = Field(description="concepts the question names")
    needs_retrieval: bool = Field(description="false for greetings, thanks and goodbyes")
    refers_to_absent: bool
    readings: list[str] = Field(description="only if it can be read in several ways: two to four readings")
    care: bool = Field(description="someone's life or health may be in danger")


class Candidate(_Strict):
    """A follow-up question and why it is offered."""

    question: str
    reason: str


class CandidatesReply(_Strict):
    """What the suggestions node asks for."""

    suggestions: list[Candidate]


def intent_of(reply: IntentReply, request: TurnRequest, *, usage: Mapping[str, int], model: str) -> Intent:
    """The reply as an intent. A first question is searched for as it is; a rewrite that adds figures does not count."""
    first = not request.memory and request.answers is None
    rewritten = not first and is_faithful(reply.standalone, request)
    standalone = reply.standalone.strip() if rewritten else request.question
    return Intent(
        kind=reply.intent,
        confidence=reply.confidence,
        clarity=reply.clarity,
        standalone=standalone,
        search=_search(reply, standalone) if rewritten else SearchQuery(standalone, (WeightedText(standalone),)),
        concepts=_concepts(reply.concepts),
        needs_retrieval=reply.needs_retrieval,
        small_talk=not reply.needs_retrieval and not reply.care,
        readings=tuple(text for reading in reply.readings if (text := plain_text(reading)))[:4],
        refers_to_absent=reply.refers_to_absent,
        care=reply.care,
        usage=usage,
        model=model,
    )


def candidates_of(reply: CandidatesReply) -> tuple[Suggestion, ...]:
    """The reply as candidates; the node makes plain text of them."""
    return tuple(Suggestion(each.question, each.reason) for each in reply.suggestions[:MAX_CANDIDATES])


def is_faithful(standalone: str, request: TurnRequest) -> bool:
    """Whether a rewrite says something, no more than a question can hold, and keeps and adds no figure."""
    if not standalone.strip() or len(standalone) > _LONGEST_REWRITE + len(request.question):
        return False
    turns = [*request.memory, *([request.answers] if request.answers else [])]
    known = " ".join(
        [request.question, *(text for turn in turns for text in (turn.question, turn.answer, turn.clarification))]
    )
    figures = _figures(standalone)
    return figures <= _figures(known) and figures >= _figures(request.question)


def _search(reply: IntentReply, standalone: str) -> SearchQuery:
    """The search query of a rewritten question, its weights made to sum to 1."""
    texts = [text for text in reply.texts if text.text.strip() and text.weight > 0][:MAX_TEXTS]
    total = sum(text.weight for text in texts)
    weighted = tuple(WeightedText(text.text.strip()[:_LONGEST_REWRITE], text.weight / total) for text in texts)
    return SearchQuery(reply.keywords.strip()[:_LONGEST_REWRITE] or standalone, weighted or (WeightedText(standalone),))


def _concepts(names: Sequence[str]) -> tuple[str, ...]:
    plain = (plain_text(name, _CONCEPT_LENGTH) for name in names[:MAX_CONCEPTS])
    return tuple(dict.fromkeys(name for name in plain if name))


def _figures(text: str) -> set[str]:
    return set(_FIGURE.findall(text))
