"""What a client sees when a provider fails: every row of the table in docs/models.md, frame by frame."""

import asyncio

import pytest

from benchmarks.provider import Provider
from benchmarks.provider.messages import (
    Block,
    answer_reply,
    cited_blocks,
    events_of,
    only_models,
    sse,
    stream_reply,
    structured_reply,
    text_stream,
    verdict,
)
from benchmarks.provider.replies import Call, Reply, error_reply, silence
from journeys import services
from journeys.models import Turn
from pipeline import runs
from pipeline.writes import write
from tests.pipeline.providers.wire import Asker, Wire, compare
from tests.pipeline.stream_fakes import accept, ended, followed, until

QUESTION = "Why is failure the best teacher?"
DOWN = error_reply(529, "overloaded_error")


async def test_all_well(asker: Asker) -> None:
    turn, frames = await asker.ask(QUESTION)

    compare("all_well", frames)
    assert turn.status == Turn.Status.ANSWERED
    assert turn.degraded == []
    assert turn.usage["response"]["model"] == "claude-sonnet-4-5"
    assert turn.usage["intent"]["model"] == turn.usage["suggestions"]["model"] == "claude-haiku-4-5"
    assert turn.prompts == {"intent": "intent-2", "response": "response-2", "suggestions": "suggestions-2"}


@pytest.mark.parametrize("failure", [DOWN, error_reply(401, "authentication_error")], ids=["down", "key refused"])
async def test_without_haiku_the_local_classifier_finds_the_intent(
    provider: Provider, asker: Asker, failure: Reply
) -> None:
    provider.play("intent", failure)
    turn, frames = await asker.ask(QUESTION)

    compare("intent_down", frames)
    assert (turn.status, turn.degraded) == (Turn.Status.ANSWERED, ["intent"])


async def test_a_silent_haiku_gives_way_in_time(
    provider: Provider, asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.intent_node.MODEL_SECONDS", 0.3)
    provider.play("intent", silence())
    _, frames = await asker.ask(QUESTION)

    compare("intent_down", frames)


async def test_a_reply_that_is_no_verdict_gives_way_and_is_not_shown(provider: Provider, asker: Asker) -> None:
    provider.play("intent", lambda call: structured_reply(call, '```json\n{"intent": "??"}\n```'))
    _, frames = await asker.ask(QUESTION)

    compare("intent_down", frames)


async def test_without_openai_the_other_channels_answer(provider: Provider, asker: Asker, wire: Wire) -> None:
    provider.play("embeddings", error_reply(503, "server_error"))
    turn, frames = await asker.ask(QUESTION)

    compare("openai_down", frames)
    assert (turn.status, turn.degraded, turn.space) == (Turn.Status.ANSWERED, ["embedding"], "")
    assert "keyword" in wire.search.calls
    assert "vector" not in wire.search.calls


@pytest.mark.parametrize(
    "failure",
    [DOWN, error_reply(429, "rate_limit_error", retry_after="900"), stream_reply(events_of([Block(["Once"])])[:3])],
    ids=["down", "asks for long", "cut"],
)
async def test_without_sonnet_the_local_answerer_quotes_and_says_so(
    provider: Provider, asker: Asker, failure: Reply
) -> None:
    provider.play("answer", failure)
    turn, frames = await asker.ask(QUESTION)

    compare("answer_down", frames)
    assert (turn.status, turn.degraded) == (Turn.Status.ANSWERED, ["response"])
    assert "no language model" in turn.answer


async def test_a_pause_that_is_asked_for_costs_no_quality(provider: Provider, asker: Asker) -> None:
    provider.play("answer", error_reply(429, "rate_limit_error", retry_after="0.2"), answer_reply)
    _, frames = await asker.ask(QUESTION)

    compare("all_well", frames)


async def test_a_model_at_its_end_of_life_gives_way_to_the_next(provider: Provider, asker: Asker, wire: Wire) -> None:
    wire.claude._answering.names._names = ("claude-sonnet-4-5", "claude-sonnet-5")
    provider.play("answer", only_models("claude-sonnet-5")(answer_reply))
    turn, frames = await asker.ask(QUESTION)

    compare("next_model", frames)
    assert turn.usage["response"]["model"] == "claude-sonnet-5"


def breaks_off(call: Call) -> Reply:
    events = events_of(cited_blocks(call))
    error = sse("error", error={"type": "overloaded_error", "message": "Overloaded"})
    return stream_reply([*events[:12], error])


async def test_an_answer_that_breaks_off_is_kept_as_failed_and_can_be_retried(provider: Provider, asker: Asker) -> None:
    provider.play("answer", breaks_off)
    turn, frames = await asker.ask(QUESTION)

    compare("broken_off", frames)
    assert (turn.status, turn.error_code) == (Turn.Status.FAILED, "stream_broken")
    assert turn.answer.startswith("Here is what I found.")
    assert len(provider.calls_of("answer")) == 1

    provider.play("answer", answer_reply)
    again, _ = await asker.retry(turn)
    assert again.status == Turn.Status.ANSWERED
    remembered = provider.calls_of("answer")[-1].body["messages"]
    assert [message["role"] for message in remembered] == ["user"]


async def test_without_haiku_suggestions_come_by_content_type(provider: Provider, asker: Asker) -> None:
    provider.play("suggestions", DOWN)
    turn, frames = await asker.ask(QUESTION)

    compare("suggestions_down", frames)
    assert turn.degraded == ["suggestions"]
    assert turn.suggestions


async def test_with_everything_down_the_member_gets_an_answer_all_the_same(provider: Provider, asker: Asker) -> None:
    for node in ("intent", "answer", "suggestions", "embeddings"):
        provider.play(node, DOWN)
    turn, frames = await asker.ask(QUESTION)

    compare("everything_down", frames)
    assert turn.degraded == ["intent", "embedding", "response", "suggestions"]
    assert turn.citations


@pytest.mark.parametrize(
    ("name", "reply", "status"),
    [
        ("refused", text_stream(stop_reason="refusal"), Turn.Status.REFUSED),
        ("refused_late", text_stream("Well, ", "about that", stop_reason="refusal"), Turn.Status.REFUSED),
        ("cut", text_stream("It is a long ", "story that", stop_reason="max_tokens"), Turn.Status.CUT),
        ("empty", text_stream(), Turn.Status.FAILED),
        ("blank", text_stream(" ", "\n"), Turn.Status.FAILED),
        ("thinking_only", stream_reply(events_of([Block(["Hm."], kind="thinking")])), Turn.Status.FAILED),
        ("nothing_cited", text_stream("The sources do not cover this."), Turn.Status.NOT_COVERED),
    ],
)
async def test_each_ending_has_its_own_status_and_the_conversation_goes_on(
    provider: Provider, asker: Asker, name: str, reply: Reply, status: str
) -> None:
    provider.play("answer", reply)
    turn, frames = await asker.ask(QUESTION)

    compare("empty" if name in ("blank", "thinking_only") else name, frames)
    assert turn.status == status

    provider.play("answer", answer_reply)
    later, _ = await asker.ask("And what then?")
    assert later.status == Turn.Status.ANSWERED
    messages = provider.calls_of("answer")[-1].body["messages"]
    assert all(str(message["content"]).strip() for message in messages)


async def test_a_cut_answer_is_gone_on_with(provider: Provider, asker: Asker) -> None:
    provider.play("answer", text_stream("It is a long ", "story that", stop_reason="max_tokens"))
    cut, _ = await asker.ask(QUESTION)
    provider.play("answer", text_stream(" ends well."))
    whole, frames = await asker.retry(cut, mode="continue")

    compare("gone_on", frames)
    assert whole.answer == "It is a long story that ends well."


async def test_danger_that_the_model_sees_is_answered_with_help_and_nothing_else(
    provider: Provider, asker: Asker
) -> None:
    provider.play("intent", lambda call: structured_reply(call, verdict(call, care=True)))
    turn, frames = await asker.ask(QUESTION)

    compare("care", frames)
    assert (turn.care, turn.answer) == (True, "Help for everyone.")
    assert provider.calls_of("answer") == provider.calls_of("suggestions") == []


async def test_a_stop_ends_the_call_at_the_provider_and_keeps_the_text(provider: Provider, asker: Asker) -> None:
    slow = [step for event in events_of([Block(["word "] * 2_000)]) for step in (0.05, event)]
    provider.play("answer", stream_reply(slow))
    turn = await write(accept, asker.member)
    runs.start(turn)
    await until(lambda: provider.calls_of("answer") and provider.calls_of("answer")[0].pieces_sent > 8)
    await write(services.turn_request_stop, member=asker.member, turn_id=turn.pk)
    runs.stop(turn)
    async with asyncio.timeout(10):
        await until(lambda: provider.calls_of("answer")[0].hung_up)

    stored = await ended(turn)
    assert stored.status == Turn.Status.STOPPED
    assert stored.answer.startswith("word")
    assert provider.calls_of("answer")[0].pieces_sent < 200


async def test_an_answer_goes_on_when_every_client_has_left(provider: Provider, asker: Asker) -> None:
    provider.play("answer", lambda call: stream_reply([s for e in events_of(cited_blocks(call)) for s in (0.02, e)]))
    turn = await write(accept, asker.member)
    runs.start(turn)
    stored = await ended(turn)
    frames = await followed(asker.station, turn)

    assert stored.status == Turn.Status.ANSWERED
    assert frames[-1].type == "turn.done"
    assert not provider.calls_of("answer")[0].hung_up
