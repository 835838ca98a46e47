"""The rules of progress."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journeys.stages import PAUSE_AFTER_NO, QUESTIONS_EXHAUSTED, RULES, StageHistory, propose

ORDER = ["looking-back", "letting-go", "exploring", "trying-out", "living"]
INTENTS = [
    "concept_explanation",
    "actionable_advice",
    "personal_story",
    "book_reference",
    "case_study",
    "exploration",
    "general",
]
histories = st.builds(
    StageHistory,
    stage=st.sampled_from([None, *ORDER, "unknown"]),
    asked=st.dictionaries(st.sampled_from(INTENTS), st.integers(0, 20)),
    exercises=st.integers(0, 5),
    asked_since_no=st.none() | st.integers(0, 10),
)


@pytest.mark.parametrize(
    ("stage", "asked", "exercises", "proposed"),
    [
        (None, {"general": 2}, 0, None),
        (None, {"general": 3}, 0, "looking-back"),
        ("looking-back", {"personal_story": 2}, 0, None),
        ("looking-back", {"personal_story": 2, "book_reference": 1}, 0, "letting-go"),
        ("looking-back", {"concept_explanation": 3}, 0, "letting-go"),
        ("letting-go", {"actionable_advice": 5}, 0, None),
        ("letting-go", {"case_study": 1, "exploration": 2}, 0, "exploring"),
        ("exploring", {"actionable_advice": 2}, 0, None),
        ("exploring", {"actionable_advice": 2}, 1, "trying-out"),
        ("exploring", {"actionable_advice": 3}, 0, "trying-out"),
        ("trying-out", {"actionable_advice": 9}, 2, None),
        ("trying-out", {"actionable_advice": 3}, 3, "living"),
        ("letting-go", {"general": QUESTIONS_EXHAUSTED}, 0, "exploring"),
        ("living", {"general": 100}, 9, None),
        ("unknown", {"general": 100}, 9, None),
    ],
)
def test_the_rules_by_table(stage: str | None, asked: dict[str, int], exercises: int, proposed: str | None) -> None:
    proposal = propose(StageHistory(stage=stage, asked=asked, exercises=exercises), order=ORDER)
    assert (proposal and proposal.stage) == proposed


def test_a_no_is_respected_for_a_while() -> None:
    asked = {"actionable_advice": 9}
    soon = StageHistory(stage="exploring", asked=asked, asked_since_no=PAUSE_AFTER_NO - 1)
    later = StageHistory(stage="exploring", asked=asked, asked_since_no=PAUSE_AFTER_NO)
    assert propose(soon, order=ORDER) is None
    assert propose(later, order=ORDER) is not None


@given(histories)
def test_only_the_very_next_stage_is_ever_proposed_and_with_a_reason(history: StageHistory) -> None:
    proposal = propose(history, order=ORDER)
    if proposal is not None:
        place = -1 if history.stage is None else ORDER.index(history.stage)
        assert ORDER.index(proposal.stage) == place + 1
        assert proposal.reason


@given(histories)
def test_the_same_history_gives_the_same_proposal(history: StageHistory) -> None:
    assert propose(history, order=ORDER) == propose(history, order=ORDER)


@given(histories, st.sampled_from(INTENTS))
def test_asking_more_never_takes_a_proposal_back(history: StageHistory, intent: str) -> None:
    if propose(history, order=ORDER) is None:
        return
    more = StageHistory(
        stage=history.stage,
        asked={**history.asked, intent: history.asked.get(intent, 0) + 1},
        exercises=history.exercises,
        asked_since_no=history.asked_since_no,
    )
    assert propose(more, order=ORDER) is not None


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
