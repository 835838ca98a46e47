"""What a question is searched with when no model can rewrite it (pure, English).

A first question goes untouched, and so does one that names a subject of its own, far from those before. Otherwise half
of the query vector is the last question, half all questions of the window as one text, and the words of the previous
question join the keywords. The subject at the root of a chain of such questions is carried on, however long the chain
becomes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.llm import question_rules
from pipeline.llm.pointing import points_away
from pipeline.turn import MemoryTurn, SearchQuery, TurnRequest, WeightedText
from pipeline.words import content_words, words_of

_RULES = question_rules.RULES
_BREAK = r"(?: entirely| altogether)?\s*[:,.;—–-]*\s*"
_NEW_TOPIC = re.compile(
    rf"^\W*(?:ok(?:ay)?[,.]? )?(?:now )?(?:{_RULES.pattern('new_topic').pattern})\b{_BREAK}", re.IGNORECASE
)
_CONTINUES = re.compile(rf"^\W*(?:{_RULES.pattern('continues').pattern})", re.IGNORECASE)
_RELATIONAL = _RULES.word_set("relational")
_KNOWN_THINGS = frozenset({"author", "book", "books", "library", "community", "society"})
_FORM = re.compile(_RULES.pattern("form").pattern, re.IGNORECASE)
_ASKS = re.compile(
    r"\?\s*$|^\W*(?:what|how|who|when|where|why|which|should|can|could|is|are|do|does|did|tell|give|explain|show|find)\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r" \(about: (.+)\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Followup:
    """A question as it stands alone, and what it is searched with."""

    standalone: str
    search: SearchQuery
    carries: bool
    """Whether something of the earlier turns was carried over."""
    repeats_intent: bool = False
    """Whether it only continues the previous question, so that it wants the same kind of thing."""


def followed_up(request: TurnRequest, *, same_topic: bool = False) -> Followup:
    """The question in the light of the conversation's window, and of the clarification it answers.

    `same_topic` says that a question which names its own subject is near to those before it: it is understood as it
    stands, and searched in their light.
    """
    if (clarified := clarification_answered(request)) is not None:
        return _with_clarified(clarified, request)
    asked = _NEW_TOPIC.sub("", request.question, count=1)
    if request.memory and asked != request.question and content_words(asked):
        return Followup(asked, _plain(asked), carries=False)
    memory = [turn for turn in request.memory if content_words(turn.standalone or turn.question)]
    if memory and not names_own_subject(request.question):
        return _carried(request.question, memory)
    search = _beside(request.question, memory) if memory and same_topic else _plain(request.question)
    return Followup(request.question, search, carries=False)


def topic_before(request: TurnRequest) -> tuple[str, ...]:
    """The earlier questions whose nearness decides whether this one, of its own subject, goes on with their topic."""
    announced = _NEW_TOPIC.match(request.question) is not None
    if request.answers is not None or announced or not names_own_subject(request.question):
        return ()
    return tuple(turn.question for turn in request.memory if content_words(turn.standalone or turn.question))


def clarification_answered(request: TurnRequest) -> MemoryTurn | None:
    """The turn that asked back and is answered by this question: the one it names, or the last one.

    What is written after a question back, without naming it, answers it too, unless it is a whole question of its own.
    """
    if request.answers is not None:
        return request.answers
    if not request.memory or request.memory[-1].status != "clarified" or _NEW_TOPIC.match(request.question):
        return None
    own = _ASKS.search(request.question) is not None and names_own_subject(request.question)
    return None if own else request.memory[-1]


def names_own_subject(question: str) -> bool:
    """Whether it can be understood without the earlier turns: it points at nothing, and names a thing of its own.

    In doubt it does not: a subject that was lost finds nothing, one carried too far is only half of the query.
    """
    if _CONTINUES.match(question) or _FORM.search(question) or points_away(question, _RELATIONAL):
        return False
    named = [word for word in content_words(question) if word not in _RELATIONAL]
    if len(named) == 1:
        # "The training", "the captain": one thing that was spoken of. "The book" is any of the works.
        return named[0] in _KNOWN_THINGS or not re.search(rf"\bthe {re.escape(named[0])}\b", question, re.IGNORECASE)
    return len(named) > 1


def _carried(question: str, memory: Sequence[MemoryTurn]) -> Followup:
    previous = memory[-1]
    root = _root(previous)
    window = [turn.question for turn in memory]
    if root not in window:
        window.insert(0, root)
    texts = (WeightedText(question, 0.5), WeightedText(" ".join([*window, question]), 0.5))
    keywords = " ".join(dict.fromkeys([question, previous.question, root]))
    alone = f"{question} (about: {root})"
    return Followup(alone, SearchQuery(keywords, texts), carries=True, repeats_intent=_is_scrap(question))


def _beside(question: str, memory: Sequence[MemoryTurn]) -> SearchQuery:
    """Half the question, half all questions of the window; the words of the previous one join the keywords."""
    window = " ".join([*(turn.question for turn in memory), question])
    texts = (WeightedText(question, 0.5), WeightedText(window, 0.5))
    return SearchQuery(f"{question} {memory[-1].question}", texts)


def _root(previous: MemoryTurn) -> str:
    """The question that named the subject: what the previous one was about, or the previous one itself."""
    found = _ABOUT.search(previous.standalone)
    return found[1] if found else (previous.standalone or previous.question)


def _is_scrap(question: str) -> bool:
    starts = re.match(r"\W*(?:and|or|what about|how about|also)\b", question, re.IGNORECASE)
    return bool(_FORM.search(question)) or (bool(starts) and len(words_of(question)) <= 7)


def _with_clarified(answered: MemoryTurn, request: TurnRequest) -> Followup:
    """A clarification's answer and the question that it makes clear, as one."""
    both = f"{answered.question.rstrip()} {request.question}"
    texts = (WeightedText(request.question, 0.5), WeightedText(both, 0.5))
    return Followup(both, SearchQuery(both, texts), carries=True)


def _plain(question: str) -> SearchQuery:
    return SearchQuery(question, (WeightedText(question),))
