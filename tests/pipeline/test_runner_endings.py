"""How a turn ends, and that nothing of it runs on."""

import asyncio
from contextlib import aclosing

import pytest

from pipeline import events
from pipeline.errors import EmptyAnswer, StreamBroken
from pipeline.runner import run_turn
from pipeline.turn import Delta, StopReason
from tests.pipeline.fake_library import FakeSearch, World, events_of, names_of
from tests.pipeline.fakes import FakeModel, request_of, said

ANSWER = said("Failure ", "teaches [1].")


async def test_an_answer_that_cites_nothing_is_not_covered() -> None:
    world = World(FakeModel(said("I do not know.")))
    await events_of(world, request_of("Why do we fail?"))

    assert world.finished[0].status == "not_covered"


async def test_without_any_source_the_turn_is_not_covered_and_says_what_is_near() -> None:
    world = World(FakeModel(ANSWER), search=FakeSearch())
    await events_of(world, request_of("Why do we fail?"))

    assert world.finished[0].status == "not_covered"
    assert "The nearest thing" in world.finished[0].answer


@pytest.mark.parametrize(("stop", "status"), [(StopReason.CUT, "cut"), (StopReason.REFUSED, "refused")])
async def test_other_endings_have_their_own_status(stop: StopReason, status: str) -> None:
    world = World(FakeModel(said("Well.", stop=stop)))
    await events_of(world, request_of("Why do we fail?"))

    assert world.finished[0].status == status


async def failing(world: World, error: type[Exception]) -> list[str]:
    found: list[events.Event] = []

    async def follow() -> None:
        async for event in run_turn(request=request_of("Why do we fail?"), clients=world.clients):
            found.append(event)

    with pytest.raises(error):
        await follow()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return names_of(found)


async def test_an_empty_answer_is_a_failure_that_is_not_stored_as_an_answer() -> None:
    world = World(FakeModel(said("  ")))
    names = await failing(world, EmptyAnswer)

    assert names[-1] == "answer.done"
    assert world.finished == []


async def test_a_broken_stream_ends_the_turn_and_the_suggestions() -> None:
    world = World(FakeModel([Delta("Half "), StreamBroken()]))
    world.model.candidates = StreamBroken()
    names = await failing(world, StreamBroken)

    assert names[-1] == "answer.delta"
    assert world.finished == []


async def test_a_turn_that_is_no_longer_ours_ends_silently() -> None:
    world = World(FakeModel(ANSWER), view=None)
    found = await events_of(world, request_of("Why do we fail?"))

    assert names_of(found)[-1] == "status journey"


async def test_the_ending_is_stored_before_the_terminal_event() -> None:
    world = World(FakeModel(ANSWER))
    stored: list[int] = []
    async for event in run_turn(request=request_of("Why do we fail?"), clients=world.clients):
        if event.type in events.TERMINAL_TYPES:
            stored.append(len(world.finished))

    assert stored == [1]


async def test_closing_it_in_mid_answer_ends_all_it_started() -> None:
    world = World(FakeModel(ANSWER, pause=60))
    async with aclosing(run_turn(request=request_of("Why do we fail?"), clients=world.clients)) as turn:
        async for event in turn:
            if isinstance(event, events.AnswerDelta):
                break

    assert world.model.closed
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_cancelling_it_in_mid_answer_ends_all_it_started() -> None:
    world = World(FakeModel(ANSWER, pause=60))
    answering = asyncio.Event()

    async def follow() -> None:
        async for event in run_turn(request=request_of("Why do we fail?"), clients=world.clients):
            if isinstance(event, events.AnswerDelta):
                answering.set()

    task = asyncio.create_task(follow())
    await answering.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert world.model.closed
    assert asyncio.all_tasks() == {asyncio.current_task()}
