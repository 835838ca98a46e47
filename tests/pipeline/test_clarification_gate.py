"""When the gate asks back, and when it never does."""

import pytest

from pipeline.clarification_gate import pass_gate
from pipeline.turn import Clarification, Intent, IntentKind
from tests.pipeline.fakes import intent_of, remembered, request_of

UNCLEAR = intent_of("What about that one?", refers_to_absent=True, clarity=0.2)


def asked(intent: Intent, **request: object) -> Clarification | None:
    return pass_gate(request=request_of(intent.standalone, **request), intent=intent)


@pytest.mark.parametrize(
    ("intent", "rule"),
    [
        (UNCLEAR, "refers_to_absent"),
        (intent_of("Exit?", readings=("Leaving a job?", "Selling a company?")), "several_readings"),
        (intent_of("What should I do?", clarity=0.5), "too_little"),
        (intent_of("Some advice please", clarity=0.3), "low_clarity"),
    ],
)
def test_each_rule_asks(intent: Intent, rule: str) -> None:
    clarification = asked(intent)

    assert clarification is not None
    assert clarification.rule == rule
    assert clarification.question.endswith("?")


def test_low_confidence_with_good_clarity_asks_nothing() -> None:
    assert asked(intent_of("Why do habits resist change?", confidence=0.1)) is None


@pytest.mark.parametrize(
    "request_fields",
    [
        {"answer_anyway": True},
        {"answers": remembered("What about it?", "", "clarified")},
        {"memory": (remembered("What about it?", "", "clarified"),)},
    ],
)
def test_never_twice_and_not_when_an_answer_is_wanted_anyway(request_fields: dict[str, object]) -> None:
    assert asked(UNCLEAR, **request_fields) is None


@pytest.mark.parametrize(
    "intent",
    [
        intent_of("Thanks", small_talk=True, needs_retrieval=False),
        intent_of("Help", care=True),
        intent_of("Inspire me", kind=IntentKind.EXPLORATION),
    ],
)
def test_never_for_small_talk_danger_or_exploration(intent: Intent) -> None:
    assert asked(intent) is None


def test_options_are_the_readings_as_plain_text() -> None:
    clarification = asked(intent_of("Exit?", readings=("**Leaving** a [job](http://x.example)?", "", "Selling?")))

    assert clarification is not None
    assert clarification.options == ("Leaving a job?", "Selling?")


def test_without_readings_the_subjects_of_the_last_turns_are_offered() -> None:
    memory = (remembered("What is grit?"), remembered("Who was Ada?", concepts=("Ada", "code", "logic")))
    clarification = asked(UNCLEAR, memory=memory)

    assert clarification is not None
    assert clarification.options == ("Ada", "code", "What is grit?")
