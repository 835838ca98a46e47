"""Steps on the way: the rules propose, only the member moves. Every step is a row that is never rewritten."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from journeys.errors import InvalidValue, StepNotPossible
from journeys.models import Member, Profile, Stage, StageChange, Turn
from journeys.selectors import open_proposal, stage_history, stage_list
from journeys.services.members import profile_ensure
from journeys.stages import propose

_MOVED = (StageChange.Kind.ACCEPTED, StageChange.Kind.CORRECTED)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a member stands and what is proposed to them, as slugs."""

    stage: str | None
    proposed_stage: str | None = None
    reason: str = ""


def stage_accept(*, member: Member, proposal: int | None = None) -> StageChange:
    """Take the proposed step. Raises StepNotPossible when nothing, or not this proposal, is open."""
    with transaction.atomic():
        profile = _locked_profile(member)
        answered = _proposal_to_answer(member, proposal)
        return _move(profile, StageChange.Kind.ACCEPTED, after=answered.after, resolves=answered)


def stage_decline(*, member: Member, proposal: int | None = None) -> StageChange:
    """Say no to the proposed step; the stage stays. Raises StepNotPossible as stage_accept does."""
    with transaction.atomic():
        profile = _locked_profile(member)
        answered = _proposal_to_answer(member, proposal)
        return _add(profile, StageChange.Kind.DECLINED, after=profile.stage, resolves=answered)


def stage_correct(*, member: Member, stage: str | None, reason: str = "") -> StageChange:
    """Say oneself where one stands; None for "not sure". An open proposal is answered by it.

    Raises InvalidValue for a stage that does not exist, StepNotPossible when the member stands there already.
    """
    with transaction.atomic():
        profile = _locked_profile(member)
        after = None if stage is None else Stage.objects.filter(slug=stage).first()
        if stage is not None and after is None:
            raise InvalidValue("There is no such stage.")
        if profile.stage_id == stage:
            raise StepNotPossible("You stand there already.")
        answered = open_proposal(member)
        return _move(profile, StageChange.Kind.CORRECTED, after=after, resolves=answered, reason=reason)


def stage_undo(*, member: Member) -> StageChange:
    """Take back the last step that moved the member and is not taken back yet. Raises StepNotPossible."""
    with transaction.atomic():
        profile = _locked_profile(member)
        last = (
            StageChange.objects.select_related("before")
            .filter(member=member, kind__in=_MOVED, resolution__isnull=True)
            .order_by("-number")
            .first()
        )
        if last is None:
            raise StepNotPossible("There is no step to take back.")
        change = _move(profile, StageChange.Kind.UNDONE, after=last.before, resolves=last)
        _withdraw_proposal(profile)
        return change


def stage_consider(*, turn: Turn) -> Standing:
    """Where the member stands after this turn; an answer outside of care may open a proposal."""
    member = turn.conversation.member
    stage = Profile.objects.filter(member=member).values_list("stage", flat=True).first()
    if turn.care:
        return Standing(stage=stage)
    standing = _standing(stage, open_proposal(member))
    if standing.proposed_stage is not None or turn.status != Turn.Status.ANSWERED:
        return standing
    order = list(stage_list().values_list("slug", flat=True))
    if not order or stage == order[-1]:
        return standing
    proposal = propose(stage_history(member=member, stage=stage), order=order)
    if proposal is None:
        return standing
    profile = _locked_profile(member)
    already = open_proposal(member)
    if already is not None or profile.stage_id != stage:
        # Another conversation's answer, or the member, was quicker.
        return _standing(profile.stage_id, already)
    after = Stage.objects.get(slug=proposal.stage)
    change = _add(profile, StageChange.Kind.PROPOSED, after=after, reason=proposal.reason, turn=turn, by_member=False)
    return _standing(stage, change)


def _standing(stage: str | None, proposal: StageChange | None) -> Standing:
    if proposal is None:
        return Standing(stage=stage)
    return Standing(stage=stage, proposed_stage=proposal.after_id, reason=proposal.reason)


def _locked_profile(member: Member) -> Profile:
    """The member's profile, locked: the steps of one member are taken one after the other."""
    profile_ensure(member=member)
    return Profile.objects.select_for_update(no_key=True).get(member=member)


def _proposal_to_answer(member: Member, number: int | None) -> StageChange:
    """The open proposal; `number`, when given, must be its own, so that nobody answers one they have not seen."""
    proposal = open_proposal(member)
    if proposal is None or (number is not None and proposal.number != number):
        raise StepNotPossible("This proposal is not open." if number is not None else "No step is proposed.")
    return proposal


def _withdraw_proposal(profile: Profile) -> None:
    """Close a proposal that was made for a stage the member has just left."""
    stale = open_proposal(profile.member)
    if stale is not None:
        reason = "The step that led to it was taken back."
        _add(profile, StageChange.Kind.DECLINED, after=profile.stage, resolves=stale, reason=reason, by_member=False)


def _move(
    profile: Profile,
    kind: StageChange.Kind,
    *,
    after: Stage | None,
    resolves: StageChange | None,
    reason: str = "",
) -> StageChange:
    change = _add(profile, kind, after=after, resolves=resolves, reason=reason)
    profile.stage = after
    profile.save(update_fields=["stage"])
    return change


def _add(
    profile: Profile,
    kind: StageChange.Kind,
    *,
    after: Stage | None,
    resolves: StageChange | None = None,
    reason: str = "",
    turn: Turn | None = None,
    by_member: bool = True,
) -> StageChange:
    """Add the member's next step; the caller holds the profile's row."""
    latest = StageChange.objects.filter(member=profile.member_id).aggregate(latest=Max("number"))["latest"]
    change = StageChange(
        member_id=profile.member_id,
        number=(latest or 0) + 1,
        kind=kind,
        before=profile.stage,
        after=after,
        reason=reason,
        turn=turn,
        resolves=resolves,
        by_member=by_member,
    )
    change.clean_fields(exclude=["member", "before", "after", "turn", "resolves"])
    change.save(force_insert=True)
    return change
