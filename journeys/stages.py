"""The rules of progress: what a member asked proposes the next stage, with the reason in plain words. Pure.

A rule only ever proposes; nobody is moved by it. The same history always gives the same proposal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

PAUSE_AFTER_NO = 5
"""Answered questions that pass before a step is proposed again to somebody who said no to it or took it back."""

QUESTIONS_EXHAUSTED = 12
"""Answered questions in one stage after which its own questions count as asked."""


@dataclass(frozen=True, slots=True)
class StageHistory:
    """What a member asked since they entered the stage they are in; only answered questions, none about danger."""

    stage: str | None
    """Slug; None when they have not said where they stand."""
    asked: Mapping[str, int] = field(default_factory=dict)
    """Answered questions by intent."""
    exercises: int = 0
    """Answers that took up an exercise or a worksheet."""
    asked_since_no: int | None = None
    """Answered questions since they last declined or undid a step; None when they never did."""

    @property
    def total(self) -> int:
        """All answered questions of this stage."""
        return sum(self.asked.values())

    def count(self, *intents: str) -> int:
        """Answered questions of these intents."""
        return sum(self.asked.get(intent, 0) for intent in intents)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A next stage that the rules propose, and why."""

    rule: str
    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """When a stage's way is gone far enough to propose the next, in the words the member reads."""

    name: str
    stage: str | None
    """The stage it looks at; None for members who have not said where they stand."""
    reached: Callable[[StageHistory], bool]
    reason: str


RULES: tuple[Rule, ...] = (
    Rule(
        "first_questions",
        None,
        lambda history: history.total >= 3,
        "You have asked a few questions and not said yet where you stand. This is where most people begin.",
    ),
    Rule(
        "stories_heard",
        "looking-back",
        lambda history: history.count("personal_story", "book_reference") >= 3,
        "You have looked at several lives and what shaped them. The next step is to ask what may stay behind.",
    ),
    Rule(
        "ideas_understood",
        "looking-back",
        lambda history: history.count("concept_explanation") >= 3,
        "You have made several of the ideas your own. The next step is to ask what they let you leave behind.",
    ),
    Rule(
        "looking_around",
        "letting-go",
        lambda history: history.count("exploration", "case_study", "personal_story") >= 3,
        "You keep asking how others found something new. That sounds like looking around more than letting go.",
    ),
    Rule(
        "advice_asked",
        "exploring",
        lambda history: history.count("actionable_advice") >= 3,
        "You have asked several times how to do something. That sounds as if you would like to try it out.",
    ),
    Rule(
        "exercise_taken_up",
        "exploring",
        lambda history: history.exercises >= 1 and history.count("actionable_advice") >= 2,
        "You asked for advice and took up an exercise. That is trying something out already.",
    ),
    Rule(
        "exercises_taken_up",
        "trying-out",
        lambda history: history.exercises >= 3,
        "You have taken up several exercises. What was a trial may have become your way of living.",
    ),
)

_EXHAUSTED_REASON = "You have asked {count} questions at this stage. Perhaps it has given you what it can."


def propose(history: StageHistory, *, order: Sequence[str]) -> Proposal | None:
    """The next stage in `order` when a rule is met, else None. Nothing is proposed after the last stage."""
    target = _next_of(history.stage, order)
    if target is None or (history.asked_since_no is not None and history.asked_since_no < PAUSE_AFTER_NO):
        return None
    for rule in RULES:
        if rule.stage == history.stage and rule.reached(history):
            return Proposal(rule=rule.name, stage=target, reason=rule.reason)
    if history.stage is not None and history.total >= QUESTIONS_EXHAUSTED:
        return Proposal("questions_exhausted", target, _EXHAUSTED_REASON.format(count=history.total))
    return None


def _next_of(stage: str | None, order: Sequence[str]) -> str | None:
    """The stage after this one; the first for somebody without one; None at the end or for an unknown stage."""
    if stage is None:
        return order[0] if order else None
    if stage not in order:
        return None
    following = order.index(stage) + 1
    return order[following] if following < len(order) else None
