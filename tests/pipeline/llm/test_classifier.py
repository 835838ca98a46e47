"""The local classifier's verdict, without vectors."""

import pytest

from pipeline.intents import LOW_CONFIDENCE
from pipeline.llm.classifier import verdict_of, verdict_without_vectors
from pipeline.turn import IntentKind


@pytest.mark.parametrize(
    "question",
    [
        "What is the brain science interview about?",
        "What does Mary Smith say about the brain?",
        "What is a plan, according to that podcast?",
        "Why are people like a gemstone?",
    ],
)
def test_a_question_that_names_where_it_is_said_is_a_guess_and_searches_everywhere(question: str) -> None:
    assert verdict_without_vectors(question).confidence < LOW_CONFIDENCE


@pytest.mark.parametrize("question", ["What is a cash runway?", "What does a plan mean?"])
def test_a_plain_question_for_a_concept_is_sure(question: str) -> None:
    assert verdict_without_vectors(question).confidence >= LOW_CONFIDENCE


def test_a_turn_of_phrase_far_from_every_sample_is_a_guess() -> None:
    far = dict.fromkeys(IntentKind, 0.1) | {IntentKind.CONCEPT_EXPLANATION: 0.2}
    near = far | {IntentKind.CONCEPT_EXPLANATION: 0.5}

    assert verdict_of(far, "What is a quasar?").confidence < LOW_CONFIDENCE
    assert verdict_of(near, "What is a quasar?").confidence >= LOW_CONFIDENCE
