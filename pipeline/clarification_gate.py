"""The clarification gate: a table of named rules for questions that cannot be answered as they stand. No model.

It is terminal: when it asks back, no later node runs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.plain_text import plain_text
from pipeline.turn import Clarification, Intent, IntentKind, TurnRequest
from pipeline.words import content_words

MAX_OPTIONS = 4
LOW_CLARITY = 0.4
GOOD_CLARITY = 0.8


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    applies: Callable[[TurnRequest, Intent], bool]
    asks: str


_RULES = (
    _Rule(
        "refers_to_absent",
        lambda _request, intent: intent.refers_to_absent,
        "I am not sure what you are referring to. What is your question about?",
    ),
    _Rule(
        "several_readings",
        lambda _request, intent: len(intent.readings) > 1,
        "This can be read in more than one way. Which do you mean?",
    ),
    _Rule(
        "too_little",
        # A verdict of good clarity counts: "What are you?" names nothing and asks something all the same.
        lambda _request, intent: intent.clarity < GOOD_CLARITY and not content_words(intent.standalone),
        "I would like to help. What is it about: a situation, an idea, a decision you face?",
    ),
    _Rule(
        "low_clarity",
        lambda _request, intent: intent.clarity < LOW_CLARITY,
        "I am not sure what you would like to know. Could you say it in another way, or add a little?",
    ),
)


def pass_gate(*, request: TurnRequest, intent: Intent) -> Clarification | None:
    """None when the question may pass; otherwise what to ask back, with up to four options.

    Never twice running, never for small talk, danger or exploration, never for the answer to a clarification, and not
    when the member wants an answer anyway. Low confidence alone asks nothing.
    """
    if _exempt(request, intent):
        return None
    rule = next((rule for rule in _RULES if rule.applies(request, intent)), None)
    return Clarification(rule.name, rule.asks, _options(request, intent)) if rule else None


def _exempt(request: TurnRequest, intent: Intent) -> bool:
    asked_last = bool(request.memory) and request.memory[-1].status == "clarified"
    return (
        request.answer_anyway
        or request.answers is not None
        or asked_last
        or intent.small_talk
        or not intent.needs_retrieval
        or intent.care
        or intent.kind is IntentKind.EXPLORATION
    )


def _options(request: TurnRequest, intent: Intent) -> tuple[str, ...]:
    """The readings that the intent named; without any, the subjects of the last turns, the latest first."""
    named = intent.readings or tuple(_subjects(request))
    plain = dict.fromkeys(plain_text(option) for option in named)
    return tuple(option for option in plain if option)[:MAX_OPTIONS]


def _subjects(request: TurnRequest) -> list[str]:
    return [subject for turn in reversed(request.memory) for subject in (turn.concepts[:2] or (turn.question,))]
