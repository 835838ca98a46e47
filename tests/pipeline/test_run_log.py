"""The event log on a real server of the Redis protocol."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pipeline import events
from pipeline.errors import LogUnavailable
from pipeline.run_log import Batch, Entry, Outcome, RunLog, entry_of, unbroken

TURN = "0b0e6d0a-2f6b-4b8e-9c55-0a7d3a1a4f10"


@pytest_asyncio.fixture
async def log(own_redis_prefix: str) -> AsyncIterator[RunLog]:
    opened = RunLog.from_settings()
    yield opened
    await opened.close()


def entries(first: int, *texts: str) -> tuple[Entry, ...]:
    return tuple(entry_of(events.AnswerDelta(text), turn=TURN, seq=seq) for seq, text in enumerate(texts, start=first))


def batch(first: int, *texts: str, writer: str = "ours") -> Batch:
    return Batch(TURN, writer, entries(first, *texts))


def snapshot(seq: int) -> Batch:
    return Batch(TURN, "ours", (entry_of(events.TurnSnapshot({"status": "running"}), turn=TURN, seq=seq),))


async def test_what_was_appended_is_read_in_order(log: RunLog) -> None:
    assert await log.append([batch(1, "a", "b"), batch(3, "c")]) == [Outcome.ACCEPTED, Outcome.ACCEPTED]
    assert [(entry.seq, entry.data["text"]) for entry in await log.read(TURN)] == [(1, "a"), (2, "b"), (3, "c")]


async def test_the_same_entries_sent_again_count_as_accepted_and_stand_once(log: RunLog) -> None:
    await log.append([batch(1, "a", "b")])
    assert await log.append([batch(1, "a", "b")]) == [Outcome.ACCEPTED]
    assert await log.append([batch(2, "b", "c")]) == [Outcome.ACCEPTED]
    assert [entry.seq for entry in await log.read(TURN)] == [1, 2, 3]


@pytest.mark.parametrize("second", [batch(2, "x", "y"), batch(2, "b", "y", writer="theirs")])
async def test_a_second_writer_is_refused_and_leaves_nothing(log: RunLog, second: Batch) -> None:
    await log.append([batch(1, "a", "b")])
    assert await log.append([second]) == [Outcome.FENCED]
    assert [entry.data["text"] for entry in await log.read(TURN)] == ["a", "b"]


async def test_an_append_that_does_not_follow_on_says_that_the_log_is_lost(log: RunLog) -> None:
    assert await log.append([batch(5, "e")]) == [Outcome.LOST]
    await log.append([batch(1, "a")])
    assert await log.append([batch(3, "c")]) == [Outcome.LOST]


async def test_a_snapshot_may_begin_a_log_and_takes_the_place_of_what_was_before(log: RunLog) -> None:
    await log.append([batch(1, "a", "b")])
    assert await log.append([snapshot(7), batch(8, "h")]) == [Outcome.ACCEPTED, Outcome.ACCEPTED]
    assert [entry.seq for entry in await log.read(TURN)] == [7, 8]


async def test_the_log_goes_some_time_after_its_last_entry(log: RunLog) -> None:
    await log.append([batch(1, "a")])
    assert 0 < await log._redis.ttl(log._log_key(TURN)) <= 60


async def test_last_seqs_leave_out_turns_without_a_log(log: RunLog) -> None:
    await log.append([batch(1, "a", "b")])
    assert await log.last_seqs([TURN, "another"]) == {TURN: 2}


async def test_a_beat_is_heard_until_it_rests_and_disturbs_no_seq(log: RunLog) -> None:
    assert not await log.beat(TURN, writer="ours", seconds=5)
    await log.append([batch(1, "a")])
    assert await log.beat(TURN, writer="ours", seconds=5)
    assert await log.beating(TURN)
    await log.rest(TURN)
    assert not await log.beating(TURN)
    assert await log.last_seqs([TURN]) == {TURN: 1}


async def test_a_server_that_is_not_there_is_said_so() -> None:
    log = RunLog("redis://127.0.0.1:1/0", prefix="none", timeout=0.5, keep_seconds=1)
    with pytest.raises(LogUnavailable):
        await log.ping()
    with pytest.raises(LogUnavailable):
        await log.append([batch(1, "a")])
    await log.close()


@pytest.mark.parametrize("text", ["Steps:\n", "\r\n", "\n\nevent: done\n\n", " hello", " ", "\u2028", "😀", '"\\'])
def test_a_frame_is_one_line_whatever_its_text(text: str) -> None:
    entry = entry_of(events.AnswerDelta(text), turn=TURN, seq=1)
    assert "\n" not in entry.text
    assert "\r" not in entry.text
    assert entry.data["text"] == text


@pytest.mark.parametrize(
    ("held", "after", "needed"),
    [
        ((1, 2, 3), 0, [1, 2, 3]),
        ((2, 3), 2, [3]),
        ((3,), 3, []),
        ((), 0, []),
        ((), 2, None),
        ((2, 3), 0, None),
        ((4, 5), 2, None),
        ((1, 3), 0, None),
    ],
)
def test_a_client_is_owed_what_follows_on_from_what_it_has(
    held: tuple[int, ...], after: int, needed: list[int] | None
) -> None:
    found = unbroken([entry for seq in held for entry in entries(seq, "x")], after=after)
    assert (None if found is None else [entry.seq for entry in found]) == needed


def test_the_newest_snapshot_stands_for_all_before_it() -> None:
    held = [*entries(1, "a"), *snapshot(2).entries, *entries(3, "c"), *snapshot(9).entries, *entries(10, "d")]
    assert [entry.seq for entry in unbroken(held) or []] == [9, 10]
    assert [entry.seq for entry in unbroken(held[4:], after=10) or []] == []


async def test_a_server_that_forgot_the_script_is_told_again(log: RunLog) -> None:
    await log.append([batch(1, "a")])
    await log._redis.script_flush()
    assert await log.append([batch(2, "b")]) == [Outcome.ACCEPTED]
