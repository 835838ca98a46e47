"""What the benchmark of intents counts."""

import json
from pathlib import Path

import pytest

from benchmarks.intent import Outcome, report_of, table_of
from benchmarks.questions import Earlier, questions_read
from benchmarks.replaying import Judged
from pipeline.turn import Clarification, IntentKind
from tests.pipeline.fakes import intent_of

ROWS = [
    {"id": "a", "text": "Why?", "intent": "general", "needs_clarification": True},
    {"id": "b", "text": "What is grit?", "intent": "concept_explanation", "acceptable": ["exploration"]},
    {"id": "c", "text": "What is luck?", "intent": "concept_explanation"},
]


def read(folder: Path, rows: list[object]):  # type: ignore[no-untyped-def]
    path = folder / "questions.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return questions_read(path)


def test_clear_questions_count_for_accuracy_and_all_for_the_gate(tmp_path: Path) -> None:
    unclear, grit, luck = read(tmp_path, [*ROWS])
    asked = Clarification("too_little", "What about?")
    report = report_of(
        [
            Outcome(unclear, Judged(intent_of("Why?", kind=IntentKind.EXPLORATION), asked), 1.0),
            Outcome(grit, Judged(intent_of("", kind=IntentKind.EXPLORATION), None), 1.0),
            Outcome(luck, Judged(intent_of(""), asked), 1.0),
        ]
    )

    assert (report["accuracy_strict"], report["accuracy_lenient"]) == (0.5, 1.0)
    assert (report["gate_caught"], report["gate_held"]) == ({"n": 1, "of": 1}, {"n": 1, "of": 2})
    assert "unclear questions caught by the gate: 1 of 1" in table_of(report)


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line 2"):
        read(tmp_path, [ROWS[0], '{"id": "x"}'])


def test_an_answer_without_a_source_that_ends_in_a_question_asks_back() -> None:
    assert Earlier("Exit?", "Do you mean a job or a company?").asks_back
    assert not Earlier("Exit?", "A sale [1]. Did you ever wonder why?").asks_back
