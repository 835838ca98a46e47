"""Steps on the way: proposed by rules, taken by the member."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from journeys.errors import InvalidValue, StepNotPossible
from journeys.models import Conversation, Member, Profile, Stage, StageChange
from journeys.selectors import journey_of, open_proposal
from journeys.services import (
    member_create,
    stage_accept,
    stage_correct,
    stage_decline,
    stage_undo,
    stages_load,
)
from journeys.services.stage_texts import STAGES
from tests.journeys.conftest import Ask

pytestmark = pytest.mark.usefixtures("stages")


def stage_of(member: Member) -> str | None:
    return Profile.objects.get(member=member).stage_id


def proposed(conversation: Conversation, ask: Ask) -> None:
    """Ask until the first stage is proposed."""
    for _ in range(3):
        ask(conversation)


def test_a_proposal_moves_nobody_and_says_why(conversation: Conversation, member: Member, ask: Ask) -> None:
    proposed(conversation, ask)
    change = open_proposal(member)
    assert change is not None
    assert (change.after_id, change.by_member, bool(change.reason)) == ("looking-back", False, True)
    assert stage_of(member) is None


def test_the_turn_keeps_what_was_proposed_after_it(conversation: Conversation, ask: Ask) -> None:
    journeys = [ask(conversation).journey for _ in range(4)]
    assert [each["proposed_stage"] for each in journeys] == [None, None, "looking-back", "looking-back"]
    assert StageChange.objects.count() == 1


def test_a_turn_about_danger_counts_for_nothing_and_proposes_nothing(conversation: Conversation, ask: Ask) -> None:
    for _ in range(4):
        assert ask(conversation, care=True).journey["proposed_stage"] is None
    assert not StageChange.objects.exists()


def test_only_answers_count(conversation: Conversation, ask: Ask) -> None:
    for status in ["failed", "stopped", "clarified", "not_covered"]:
        ask(conversation, status=status)
    assert not StageChange.objects.exists()


def test_accepting_moves_and_answers_the_proposal(conversation: Conversation, member: Member, ask: Ask) -> None:
    proposed(conversation, ask)
    change = stage_accept(member=member)
    assert (change.before_id, change.after_id) == (None, "looking-back")
    assert stage_of(member) == "looking-back"
    assert open_proposal(member) is None


def test_declining_keeps_the_stage_and_gives_a_pause(conversation: Conversation, member: Member, ask: Ask) -> None:
    proposed(conversation, ask)
    stage_decline(member=member)
    assert stage_of(member) is None
    journeys = [ask(conversation).journey for _ in range(5)]
    assert [each["proposed_stage"] for each in journeys] == [None, None, None, None, "looking-back"]


def test_a_proposal_nobody_saw_cannot_be_answered(conversation: Conversation, member: Member, ask: Ask) -> None:
    proposed(conversation, ask)
    with pytest.raises(StepNotPossible):
        stage_accept(member=member, proposal=99)
    with pytest.raises(StepNotPossible):
        stage_decline(member=member, proposal=99)


def test_without_a_proposal_there_is_nothing_to_answer(member: Member) -> None:
    for step in (stage_accept, stage_decline, stage_undo):
        with pytest.raises(StepNotPossible):
            step(member=member)


def test_a_correction_answers_an_open_proposal(conversation: Conversation, member: Member, ask: Ask) -> None:
    proposed(conversation, ask)
    stage_correct(member=member, stage="exploring")
    assert (stage_of(member), open_proposal(member)) == ("exploring", None)


def test_a_stage_that_does_not_exist_is_refused(member: Member) -> None:
    with pytest.raises(InvalidValue):
        stage_correct(member=member, stage="nowhere")


def test_undoing_walks_back_step_by_step(member: Member) -> None:
    for stage in ("looking-back", "exploring", None):
        stage_correct(member=member, stage=stage)
    walked = []
    for _ in range(3):
        stage_undo(member=member)
        walked.append(stage_of(member))
    assert walked == ["exploring", "looking-back", None]


def test_undoing_closes_what_was_proposed_from_there(conversation: Conversation, member: Member, ask: Ask) -> None:
    stage_correct(member=member, stage="exploring")
    for _ in range(3):
        ask(conversation, intent="actionable_advice")
    assert open_proposal(member) is not None
    stage_undo(member=member)
    assert open_proposal(member) is None


def test_an_exercise_counts_when_the_answer_rests_on_it(conversation: Conversation, member: Member, ask: Ask) -> None:
    stage_correct(member=member, stage="exploring")
    sources = [{"number": 1, "content_type": "exercise"}]
    ask(conversation, intent="actionable_advice", sources=sources, sources_used=[])
    ask(conversation, intent="actionable_advice", sources=sources, sources_used=[])
    assert open_proposal(member) is None
    ask(conversation, intent="general", sources=sources, sources_used=[1])
    assert open_proposal(member) is not None


def test_the_loader_brings_five_stages_and_leaves_what_editors_wrote() -> None:
    Stage.objects.filter(slug="exploring").update(description="Our own words.")
    stages_load()
    assert Stage.objects.get(slug="exploring").description == "Our own words."
    assert [stage.slug for stage in Stage.objects.all()] == [text.slug for text in STAGES]


class EveryChangeCanBeUndone(TestCase):
    """By property, over any sequence of corrections."""

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from([None, *(text.slug for text in STAGES)]), max_size=6))
    def test_undoing_all_leads_back_to_the_start(self, stages: list[str | None]) -> None:
        stages_load()
        member = member_create(email="p@example.org", password="a-long-enough-one")
        taken = 0
        for stage in stages:
            try:
                stage_correct(member=member, stage=stage)
                taken += 1
            except StepNotPossible:
                assert stage_of(member) == stage
        for _ in range(taken):
            stage_undo(member=member)
        assert stage_of(member) is None
        assert len(journey_of(member).changes) == 2 * taken
