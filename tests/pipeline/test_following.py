"""What a client gets of a turn: resume, repair and snapshots, on the real log and layer."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from journeys.models import Member, Turn
from pipeline import runs
from pipeline.follower import Overrun
from pipeline.hub import Hub
from pipeline.run_log import Entry, RunLog
from pipeline.watch import Watch
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.stream_fakes import (
    NoNodes,
    Script,
    accept,
    answered,
    cut_off,
    deltas,
    ended,
    followed,
    follower_of,
    following,
    joined,
    lose,
    next_frame,
    under_way,
)

Play = Callable[[Script], Script]


@pytest_asyncio.fixture
async def elsewhere(station: Station) -> AsyncIterator[Station]:
    """Another process: a hub and a log of its own on the same servers."""
    log, hub = RunLog.from_settings(), Hub()
    await hub.open()
    yield Station(log, hub, station.writer, Watch(log, hub), NoNodes())  # type: ignore[arg-type]
    await hub.close()
    await log.close()


async def test_every_place_of_a_cut_resumes_to_the_same_text(station: Station, member: Member, play: Play) -> None:
    turn = await answered(member, play, "Steps:\n", "\n1. one", " \r\n", "2. two ", "end\n\n")
    whole = await followed(station, turn)
    assert joined(whole) == turn.answer
    for have in range(len(whole)):
        rest = await followed(station, turn, after=have)
        assert [*whole[:have], *rest] == whole


async def test_a_live_turn_is_resumed_without_hole_or_repeat(station: Station, member: Member, play: Play) -> None:
    turn, gate = await under_way(member, play, "So far")
    have = await station.log.read(str(turn.pk))
    rest = asyncio.create_task(followed(station, turn, after=have[-1].seq))
    gate.set()
    whole = [*have, *await rest]
    assert [frame.seq for frame in whole] == list(range(1, whole[-1].seq + 1))
    assert joined(whole) == "So far end"


async def test_a_follower_in_another_process_gets_the_same_frames(
    station: Station, elsewhere: Station, member: Member, play: Play
) -> None:
    turn, gate = await under_way(member, play, "So far")
    there = asyncio.create_task(followed(elsewhere, turn))
    here = asyncio.create_task(followed(station, turn))
    async with following(elsewhere, follower_of(turn), {str(turn.pk): 0}) as items:
        await next_frame(items)  # subscribed
        gate.set()
        assert await there == await here == await station.log.read(str(turn.pk))


async def test_a_finished_turn_whose_log_is_gone_is_one_snapshot(station: Station, member: Member, play: Play) -> None:
    turn = await answered(member, play, "The ", "answer")
    await lose(station, turn)
    (frame,) = await followed(station, turn, after=2)
    assert (frame.type, frame.seq, frame.data["answer"]) == ("turn.snapshot", turn.last_seq, "The answer")
    assert frame.ends


@pytest.mark.parametrize("lost", [1, 2])
async def test_a_log_that_begins_too_late_is_one_snapshot(
    station: Station, member: Member, play: Play, lost: int
) -> None:
    turn = await answered(member, play, "The ", "answer")
    await station.log._redis.xtrim(station.log._log_key(str(turn.pk)), minid=f"{lost + 1}-0", approximate=False)
    assert [frame.type for frame in await followed(station, turn, after=lost - 1)] == ["turn.snapshot"]
    assert len(await followed(station, turn, after=lost + 1)) == turn.last_seq - lost - 1


async def test_a_log_that_ends_before_what_the_client_has_is_one_snapshot_and_goes_on(
    station: Station, member: Member, play: Play
) -> None:
    turn, gate = await under_way(member, play, "So far")
    frames = asyncio.create_task(followed(station, turn, after=900))
    last = (await station.log.last_seqs([str(turn.pk)]))[str(turn.pk)]
    await asyncio.sleep(0)
    gate.set()
    first, *rest = await frames
    assert first.type == "turn.snapshot"
    assert first.seq >= last
    assert joined([first, *rest]) == "So far end"


async def test_a_client_ahead_of_a_turn_that_has_not_begun_gets_one_snapshot(
    station: Station, member: Member, play: Play
) -> None:
    turn = await write(accept, member)
    gate = asyncio.Event()
    script = play(Script(*deltas("So far"), gate, *deltas(" end")))
    async with following(station, follower_of(turn), {str(turn.pk): 900}) as items:
        frames = asyncio.create_task(next_frame(items))
        await asyncio.sleep(0.05)
        runs.start(turn)
        await script.waiting.wait()
        await station.watch.check()
        first = await asyncio.wait_for(frames, 5)
        gate.set()
        rest = [item async for item in items if isinstance(item, Entry)]
    assert first.type == "turn.snapshot"
    assert joined([first, *rest]) == "So far end"


async def test_a_live_follower_gets_the_snapshot_when_the_log_stays_away(
    station: Station, member: Member, play: Play
) -> None:
    turn, gate = await under_way(member, play, "So far")
    async with following(station, follower_of(turn), {str(turn.pk): 0}) as items:
        await next_frame(items)
        with cut_off(station.log):
            gate.set()
            await ended(turn)
            await station.watch.check()
            frames = [item async for item in items if isinstance(item, Entry)]
    assert frames[-1].type == "turn.snapshot"
    assert frames[-1].data["status"] == "answered"


async def test_a_message_that_the_layer_lost_is_read_from_the_log(
    station: Station, elsewhere: Station, member: Member, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, gate = await under_way(member, play, "So far")
    async with following(elsewhere, follower_of(turn), {str(turn.pk): 0}) as items:
        await next_frame(items)
        monkeypatch.setattr(elsewhere.hub, "_take", lambda message: None)
        gate.set()
        await ended(turn)
        await elsewhere.watch.check()
        frames = [item async for item in items if isinstance(item, Entry)]
    assert frames == (await station.log.read(str(turn.pk)))[1:]


async def test_a_client_that_is_too_slow_gets_one_snapshot(station: Station, member: Member, play: Play) -> None:
    turn, gate = await under_way(member, play, "So far")
    follower = follower_of(turn)
    async with following(station, follower, {str(turn.pk): 0}) as items:
        first = await next_frame(items)
        while not (follower.queue.qsize() == 1 and isinstance(follower.queue._queue[0], Overrun)):  # type: ignore[attr-defined]
            follower.offer(first)
        gate.set()
        await ended(turn)
        held = await station.log.read(str(turn.pk))
        assert follower.queue.qsize() == 1
        frames = [item async for item in items if isinstance(item, Entry)]
    assert [frame.type for frame in frames if frame.seq > held[2].seq][-1] == "turn.snapshot"
    assert joined(frames) == "So far end"


async def test_a_conversation_s_follower_gets_every_later_turn(
    station: Station, elsewhere: Station, member: Member, play: Play
) -> None:
    first = await answered(member, play, "One")
    async with following(elsewhere, follower_of(first, whole_conversation=True), {str(first.pk): 0}) as items:
        while not (await next_frame(items)).ends:
            pass
        play(Script(*deltas("Two")))
        second = await write(accept, member, conversation=first.conversation)
        runs.start(second)
        frames: list[Entry] = []
        while not (frames and frames[-1].ends):
            frames.append(await next_frame(items))
    assert {frame.turn for frame in frames} == {str(second.pk)}
    assert frames == await station.log.read(str(second.pk))


async def test_a_process_is_in_a_conversation_s_group_just_while_somebody_follows(
    station: Station, member: Member
) -> None:
    turn = await write(accept, member)
    conversation = str(turn.conversation_id)
    async with station.hub.following(follower_of(turn)), station.hub.following(follower_of(turn)):
        assert station.hub._joined == {conversation}
    await station.hub.join(conversation)
    assert station.hub._joined == set()


async def test_a_deleted_turn_lets_its_followers_go(station: Station, member: Member) -> None:
    turn = await write(accept, member)
    await write(Turn.objects.filter(pk=turn.pk).delete)
    assert await followed(station, turn) == []


async def test_a_turn_that_ended_this_moment_is_waited_for_not_snapshotted(
    station: Station, member: Member, play: Play
) -> None:
    turn = await answered(member, play, "The ", "answer")
    held = await station.log.read(str(turn.pk))
    await station.log._redis.xdel(station.log._log_key(str(turn.pk)), f"{held[-1].seq}-0")
    async with following(station, follower_of(turn), {str(turn.pk): held[-3].seq}) as items:
        assert await next_frame(items) == held[-2]
        station.hub.accepted(str(turn.conversation_id), held[-1:])
        assert await next_frame(items) == held[-1]
