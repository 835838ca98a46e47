"""Runs from start to every kind of ending, on the real database and the real log."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from pytest_django import Settings

from journeys import services
from journeys.models import Conversation, Member, Turn
from pipeline import runs
from pipeline.errors import Draining, NoRunLoop, TryLater
from pipeline.wiring import Station
from pipeline.writes import THREADS, write
from tests.pipeline.stream_fakes import Script, accept, cut_off, deltas, ended, followed, joined, reread, until

Play = Callable[[Script], Script]


async def test_a_run_stores_its_ending_before_it_says_it(station: Station, member: Member, play: Play) -> None:
    play(Script(*deltas("Hello", " ", "world\n")))
    turn = await write(accept, member)
    runs.start(turn)
    frames = await followed(station, turn)
    stored = await reread(turn)
    assert [frame.seq for frame in frames] == list(range(1, len(frames) + 1))
    assert [frames[0].type, *(frame.type for frame in frames[-2:])] == ["turn.started", "journey.updated", "turn.done"]
    assert (stored.status, stored.answer, stored.last_seq) == ("answered", joined(frames), frames[-1].seq)


@pytest.mark.parametrize(
    "pieces",
    [
        ["Steps:\n", "\n1. one\n2. two", "\r\n", "\n\nevent: done\n\n"],
        [" hello", " ", "world ", "\n"],
        ["\ufeffdata: x\n\n", "\u2028", "é", "😀" * 3, "\x00", "end"],
    ],
)
async def test_joined_deltas_equal_the_stored_answer(
    station: Station, member: Member, play: Play, pieces: list[str]
) -> None:
    play(Script(*deltas(*pieces)))
    turn = await write(accept, member)
    runs.start(turn)
    frames = await followed(station, turn)
    assert joined(frames) == (await reread(turn)).answer == "".join(pieces).replace("\x00", "")


async def test_pieces_that_come_at_once_go_out_in_few_frames(station: Station, member: Member, play: Play) -> None:
    play(Script(*deltas(*(f"w{number} " for number in range(200)))))
    turn = await write(accept, member)
    runs.start(turn)
    said = [frame for frame in await followed(station, turn) if frame.type == "answer.delta"]
    assert said[0].data["text"] == "w0 "
    assert len(said) < 20


async def test_stop_closes_the_work_and_keeps_the_text(station: Station, member: Member, play: Play) -> None:
    script = play(Script(*deltas("So ", "far"), asyncio.Event(), *deltas(" never")))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    await write(services.turn_request_stop, member=member, turn_id=turn.pk)
    runs.stop(turn)
    frames = await followed(station, turn)
    assert script.closed.is_set()
    assert (frames[-1].type, frames[-1].data["status"]) == ("turn.done", "stopped")
    assert joined(frames) == (await reread(turn)).answer == "So far"


async def test_the_row_alone_stops_a_run_when_its_lease_is_renewed(
    station: Station, member: Member, play: Play, settings: Settings
) -> None:
    settings.LEASE_RENEW_SECONDS = 0.05
    script = play(Script(asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    await write(services.turn_request_stop, member=member, turn_id=turn.pk)
    assert (await ended(turn)).status == "stopped"


async def test_a_turn_stopped_before_it_began_ends_stopped(station: Station, member: Member, play: Play) -> None:
    script = play(Script(*deltas("never")))
    turn = await write(accept, member)
    await write(services.turn_request_stop, member=member, turn_id=turn.pk)
    runs.start(turn)
    frames = await followed(station, turn)
    assert [frame.type for frame in frames] == ["turn.started", "turn.done"]
    assert (await reread(turn)).status == "stopped"
    assert script.plays == 0


async def test_a_disabled_member_s_run_is_stopped(
    station: Station, member: Member, play: Play, settings: Settings
) -> None:
    settings.LEASE_RENEW_SECONDS = 0.05
    script = play(Script(asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    await write(Member.objects.filter(pk=member.pk).update, is_active=False)
    assert (await ended(turn)).status == "stopped"


async def test_a_run_that_lost_its_lease_writes_nothing_more(
    station: Station, member: Member, play: Play, settings: Settings
) -> None:
    settings.LEASE_RENEW_SECONDS = 0.05
    script = play(Script(*deltas("mine"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    await write(Turn.objects.filter(pk=turn.pk).update, lease_owner=uuid4())
    await script.closed.wait()
    await until(lambda: runs._current and not runs._current.tasks)
    assert (await reread(turn)).status == "running"
    assert "turn.done" not in [entry.type for entry in await station.log.read(str(turn.pk))]


async def test_a_run_goes_on_when_everybody_has_left(station: Station, member: Member, play: Play) -> None:
    gate = asyncio.Event()
    script = play(Script(*deltas("a"), gate, *deltas("b")))
    turn = await write(accept, member)
    runs.start(turn)
    following = asyncio.create_task(followed(station, turn))
    await script.waiting.wait()
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    gate.set()
    assert (await ended(turn)).answer == "ab"


async def test_start_carries_no_context_into_the_run(
    station: Station, member: Member, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    script, of_the_request = Script(), contextvars.ContextVar("of_the_request", default="nothing")

    def looking(**given: Any) -> object:
        seen.append(of_the_request.get())
        return script(**given)

    monkeypatch.setattr("pipeline.run_task.run_turn", looking)
    of_the_request.set("a connection")
    turn = await write(accept, member)
    runs.start(turn)
    await ended(turn)
    assert seen == ["nothing"]


async def test_fifty_runs_at_once_use_few_connections(station: Station, member: Member, play: Play) -> None:
    play(Script(*deltas("x")))

    def fifty() -> list[Turn]:
        owners = Conversation.objects.bulk_create([Conversation(member=member) for _ in range(50)])
        return [accept(member, conversation=owner) for owner in owners]

    turns = await write(fifty)
    # Other tests of this process may have left some open.
    before = await write(_connections)
    for turn in turns:
        runs.start(turn)
    assert {(await ended(turn)).status for turn in turns} == {"answered"}
    assert await write(_connections) - before <= THREADS


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db
def test_without_a_loop_nothing_starts() -> None:
    runs.use_loop(None)
    with pytest.raises(NoRunLoop):
        runs.start(Turn(pk=uuid4()))
    with pytest.raises(NoRunLoop):
        runs.check_open()


async def test_a_drain_takes_no_new_turns_and_interrupts_what_does_not_end(
    station: Station, member: Member, play: Play
) -> None:
    script = play(Script(*deltas("so far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    following = asyncio.create_task(followed(station, turn))
    await script.waiting.wait()
    await runs.drain(0)
    frames = await following
    stored = await reread(turn)
    assert runs.draining()
    with pytest.raises(Draining):
        runs.start(turn)
    assert (frames[-1].type, frames[-1].data["status"]) == ("turn.failed", "interrupted")
    assert (stored.status, stored.answer) == ("interrupted", "so far")


async def test_a_drain_waits_for_runs_that_end_in_time(station: Station, member: Member, play: Play) -> None:
    gate = asyncio.Event()
    script = play(Script(gate, *deltas("done")))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    asyncio.get_running_loop().call_later(0.05, gate.set)
    await runs.drain(30)
    assert (await reread(turn)).status == "answered"


async def test_no_new_turn_is_taken_while_the_log_does_not_answer(station: Station) -> None:
    with cut_off(station.log), pytest.raises(TryLater):
        await asyncio.to_thread(runs.check_open)
