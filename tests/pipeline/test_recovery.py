"""Turns that nobody runs any more."""

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from journeys import services
from journeys.models import Member, Turn
from pipeline import events
from pipeline.recovery import take_over
from pipeline.run_log import Batch, Entry, entry_of
from pipeline.tasks import sweep_turns
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.stream_fakes import accept, cut_off, followed, follower_of, following, reread

EXPIRED = -1.0


async def abandoned(station: Station, member: Member, *, lease: float = EXPIRED) -> Turn:
    """A turn whose process died in mid-answer."""
    turn = await write(accept, member)
    owner = uuid4()
    await write(services.turn_begin, turn_id=turn.pk, owner=owner, lease_seconds=lease)
    said: Sequence[events.Event] = (
        events.TurnStarted(str(turn.conversation_id), turn.question),
        events.AnswerDelta("Half an "),
        events.AnswerDelta("answer"),
    )
    entries = tuple(entry_of(event, turn=str(turn.pk), seq=seq) for seq, event in enumerate(said, start=1))
    await station.log.append([Batch(str(turn.pk), str(owner), entries)])
    return turn


async def end(station: Station, turn: Turn) -> bool:
    return await take_over(turn.pk, log=station.log, hub=station.hub)


async def test_a_dead_run_s_turn_is_ended_with_what_it_said(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    assert await end(station, turn)
    frames = await followed(station, turn)
    stored = await reread(turn)
    assert (stored.status, stored.answer, stored.last_seq) == ("interrupted", "Half an answer", 4)
    assert (frames[-1].type, frames[-1].seq, frames[-1].data["may_retry"]) == ("turn.failed", 4, True)


async def test_a_living_lease_or_a_beat_alone_keeps_a_turn(station: Station, member: Member) -> None:
    beating = await abandoned(station, member)
    await station.log.beat(str(beating.pk), writer="w", seconds=30)
    assert not await end(station, beating)
    leased = await abandoned(station, member, lease=30)
    assert not await end(station, leased)
    assert {(await reread(turn)).status for turn in (beating, leased)} == {"running"}


async def test_only_one_of_many_takes_over(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    assert [await end(station, turn) for _ in range(3)] == [True, False, False]
    assert [entry.seq for entry in await station.log.read(str(turn.pk))] == [1, 2, 3, 4]


async def test_a_turn_that_was_never_begun_is_ended_likewise(station: Station, member: Member) -> None:
    turn = await write(accept, member)
    await write(Turn.objects.filter(pk=turn.pk).update, accepted_at="2020-01-01T00:00:00Z")
    assert await end(station, turn)
    (frame,) = await followed(station, turn)
    assert (frame.type, frame.data["status"], frame.data["may_retry"]) == ("turn.snapshot", "interrupted", True)


async def test_a_dead_run_that_was_to_stop_ends_stopped(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    await write(services.turn_request_stop, member=member, turn_id=turn.pk)
    assert await end(station, turn)
    assert (await followed(station, turn))[-1].data["status"] == "stopped"


async def test_without_the_log_the_turn_is_ended_all_the_same(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    with cut_off(station.log):
        assert await end(station, turn)
    assert (await reread(turn)).status == "interrupted"


async def test_the_former_run_can_write_nothing_more(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    await end(station, turn)
    late = entry_of(events.AnswerDelta(" too late"), turn=str(turn.pk), seq=4)
    (outcome,) = await station.log.append([Batch(str(turn.pk), "the former", (late,))])
    assert outcome.value == "fenced"
    assert await write(services.turn_finish, turn_id=turn.pk, owner=None, status="answered", fields={}) is None


async def test_a_follower_s_heartbeat_ends_an_abandoned_turn(station: Station, member: Member) -> None:
    turn = await abandoned(station, member)
    async with following(station, follower_of(turn), {str(turn.pk): 0}) as items:
        await anext(items)
        await station.watch.check()
        frames = [item async for item in items if isinstance(item, Entry)]
    assert frames[-1].type == "turn.failed"


def test_the_sweeper_ends_abandoned_turns(member: Member, own_redis_prefix: str) -> None:
    turn = accept(member)
    services.turn_begin(turn_id=turn.pk, owner=UUID(int=1), lease_seconds=EXPIRED)
    assert sweep_turns() == 1
    assert sweep_turns() == 0
    turn.refresh_from_db()
    assert turn.status == "interrupted"


@pytest.mark.parametrize("seconds", [30.0])
def test_the_sweeper_leaves_what_lives(member: Member, own_redis_prefix: str, seconds: float) -> None:
    turn = accept(member)
    services.turn_begin(turn_id=turn.pk, owner=UUID(int=1), lease_seconds=seconds)
    assert sweep_turns() == 0
