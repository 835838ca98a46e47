"""How turns end that no node has ended, on the real database and the real log."""

import asyncio
from collections.abc import Callable

import pytest
from pytest_django import Settings

from journeys.models import Member
from pipeline import events, runs
from pipeline.errors import StreamBroken
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.fakes import intent_of
from tests.pipeline.stream_fakes import Script, accept, deltas, followed, joined, reread, until

Play = Callable[[Script], Script]


@pytest.mark.parametrize(
    ("error", "code"), [(StreamBroken(), "stream_broken"), (ValueError("a secret"), "internal_error")]
)
async def test_a_failure_keeps_the_text_and_says_so_to_people(
    station: Station, member: Member, play: Play, error: Exception, code: str
) -> None:
    play(Script(*deltas("Half an "), *deltas("answer"), error))
    turn = await write(accept, member)
    runs.start(turn)
    frames = await followed(station, turn)
    stored = await reread(turn)
    assert (frames[-1].type, frames[-1].data["code"], frames[-1].data["may_retry"]) == ("turn.failed", code, True)
    assert (stored.status, stored.answer, stored.error_code) == ("failed", "Half an answer", code)
    assert "secret" not in frames[-1].text


async def test_a_clarification_ends_the_turn_as_clarified(station: Station, member: Member, play: Play) -> None:
    play(Script(events.ClarificationAsked("Which one?", ("This", "That")), ends=False))
    turn = await write(accept, member)
    runs.start(turn)
    frames = await followed(station, turn)
    stored = await reread(turn)
    assert (frames[-1].type, frames[-1].data["status"]) == ("turn.done", "clarified")
    assert stored.clarification == {"question": "Which one?", "options": ["This", "That"]}


async def test_what_a_turn_came_to_is_kept_though_no_node_ended_it(
    station: Station, member: Member, play: Play
) -> None:
    intent = intent_of("Which?", concepts=("Grit",), degraded=True, usage={"input": 9}, prompt_version="1")
    play(Script(events.ClarificationAsked("Which one?", ()), ends=False, intent=intent))
    turn = await write(accept, member)
    runs.start(turn)
    done = (await followed(station, turn))[-1].data
    stored = await reread(turn)
    assert (done["usage"], done["degraded"]) == ({"intent": {"input": 9}}, ["intent"])
    assert (stored.usage, stored.degraded) == (done["usage"], done["degraded"])
    assert (stored.concepts, stored.search["keywords"], stored.prompts) == (["Grit"], "Which?", {"intent": "1"})


async def test_an_answer_past_its_size_is_cut_where_it_is_full(station: Station, member: Member, play: Play) -> None:
    play(Script(*deltas(*(["é" * 1_000] * 40))))
    turn = await write(accept, member)
    runs.start(turn)
    frames = await followed(station, turn)
    stored = await reread(turn)
    assert (stored.status, stored.answer) == ("cut", joined(frames))
    assert len(stored.answer.encode()) == 65_536


async def test_what_is_logged_of_a_run_carries_its_turn(
    station: Station, member: Member, play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="pipeline")
    play(Script(ValueError()))
    turn = await write(accept, member)
    runs.start(turn)
    await followed(station, turn)
    await until(lambda: len(caplog.records) >= 2)
    assert {getattr(record, "turn", None) for record in caplog.records} == {str(turn.pk)}


async def test_a_run_has_a_time_limit(station: Station, member: Member, play: Play, settings: Settings) -> None:
    settings.RUN_LIMIT_SECONDS = 0.05
    play(Script(asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    assert (await followed(station, turn))[-1].data["code"] == "took_too_long"
