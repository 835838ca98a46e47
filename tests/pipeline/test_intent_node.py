"""Whose verdict counts."""

import asyncio
from dataclasses import replace

import pytest

from pipeline import intent_node
from pipeline.errors import ModelUnavailable
from pipeline.intent_node import find_intent
from pipeline.turn import IntentKind
from tests.pipeline.fakes import FakeModel, intent_of, remembered, request_of

LOCAL = intent_of("local", kind=IntentKind.GENERAL)


async def test_danger_is_found_before_any_model() -> None:
    model, local = FakeModel(), FakeModel()
    intent = await find_intent(request=request_of("I want to die"), model=model, local=local)

    assert intent.care
    assert (model.calls, local.calls) == ([], [])


async def test_the_models_verdict_counts_when_it_comes() -> None:
    model = FakeModel(intent=intent_of("Why fail?", kind=IntentKind.CASE_STUDY))
    intent = await find_intent(request=request_of("Why fail?"), model=model, local=FakeModel(intent=LOCAL))

    assert (intent.kind, intent.degraded, intent.prompt_version) == (IntentKind.CASE_STUDY, False, "intent-2")


async def test_the_local_verdict_counts_when_the_model_fails() -> None:
    model = FakeModel(intent=ModelUnavailable())
    intent = await find_intent(request=request_of("Why?"), model=model, local=FakeModel(intent=LOCAL))

    assert (intent.kind, intent.degraded) == (IntentKind.GENERAL, True)


async def test_the_local_verdict_counts_when_the_model_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intent_node, "MODEL_SECONDS", 0.01)
    intent = await find_intent(request=request_of("Why?"), model=FakeModel(seconds=60), local=FakeModel(intent=LOCAL))

    assert intent.degraded


async def test_a_first_question_is_passed_on_untouched() -> None:
    model = FakeModel(intent=intent_of("Rewritten with facts"))
    first = await find_intent(request=request_of("Why fail?"), model=model, local=FakeModel())
    later = await find_intent(request=request_of("Why fail?", remembered("Q")), model=model, local=FakeModel())

    assert (first.standalone, later.standalone) == ("Why fail?", "Rewritten with facts")


async def test_a_models_flag_of_danger_is_enough() -> None:
    model = FakeModel(intent=replace(LOCAL, care=True))
    intent = await find_intent(request=request_of("Es geht nicht mehr"), model=model, local=FakeModel())

    assert intent.care
    assert not intent.needs_retrieval


async def test_being_cancelled_ends_both_classifiers() -> None:
    model = FakeModel(seconds=60)
    task = asyncio.create_task(find_intent(request=request_of("Why?"), model=model, local=FakeModel(seconds=60)))
    await model.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert asyncio.all_tasks() == {asyncio.current_task()}
