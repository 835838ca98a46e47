"""What is written when the log is lost, away or too long, on the real log."""

from collections.abc import Callable

import pytest

from journeys.models import Member
from pipeline.run_log import Entry
from pipeline.wiring import Station
from tests.pipeline.stream_fakes import (
    Script,
    answered,
    cut_off,
    ended,
    followed,
    follower_of,
    following,
    joined,
    logged,
    lose,
    next_frame,
    reread,
    under_way,
)

Play = Callable[[Script], Script]


@pytest.mark.parametrize("after", [0, 2])
async def test_a_live_turn_whose_log_was_lost_is_written_anew_as_a_snapshot(
    station: Station, member: Member, play: Play, after: int
) -> None:
    turn, gate = await under_way(member, play, "So far")
    await logged(station, turn)
    await lose(station, turn)
    async with following(station, follower_of(turn), {str(turn.pk): after}) as items:
        while (frame := await next_frame(items)).type != "turn.snapshot":
            pass  # what was on its way to followers when the log was lost
        assert (frame.type, frame.data["answer"], frame.data["status"]) == ("turn.snapshot", "So far", "running")
        gate.set()
        rest = [item async for item in items if isinstance(item, Entry)]
    assert joined([frame, *rest]) == (await ended(turn)).answer == "So far end"
    assert [entry.seq for entry in rest] == list(range(frame.seq + 1, rest[-1].seq + 1))


async def test_a_run_that_finds_its_log_lost_goes_on_with_a_snapshot(
    station: Station, member: Member, play: Play
) -> None:
    turn, gate = await under_way(member, play, "So far")
    await logged(station, turn)
    await lose(station, turn)
    gate.set()
    stored = await ended(turn)
    held = await station.log.read(str(turn.pk))
    assert held[0].replaces
    assert joined(held) == stored.answer == "So far end"
    assert stored.last_seq == held[-1].seq
    assert held[-1].ends


async def test_while_the_log_is_away_the_run_goes_on_and_is_stored(
    station: Station, member: Member, play: Play
) -> None:
    turn, gate = await under_way(member, play, "So far")
    with cut_off(station.log):
        gate.set()
        assert (await ended(turn)).answer == "So far end"
        (frame,) = await followed(station, turn, after=1)
    assert (frame.type, frame.data["answer"]) == ("turn.snapshot", "So far end")


async def test_a_log_past_its_size_begins_anew_with_a_snapshot(
    station: Station, member: Member, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.log_writer.LOG_MAX_BYTES", 4_000)
    turn = await answered(member, play, *("word " * 20 for _ in range(60)))
    held = await station.log.read(str(turn.pk))
    assert held[0].replaces
    assert joined(held) == turn.answer == "word " * 1_200
    assert joined(await followed(station, turn)) == turn.answer
    assert (await reread(turn)).last_seq == held[-1].seq
