"""The calls about turns, from a thread as in the server, with runs on the test's loop."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from django.test import Client

from journeys.models import Conversation, Member, Turn
from pipeline import runs
from pipeline.errors import NoRunLoop
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.stream_fakes import Script, accept, conversation_of, cut_off, deltas, ended, reread

Play = Callable[[Script], Script]
Call = Callable[..., Any]


@pytest_asyncio.fixture
async def call(member: Member) -> Call:
    """One call of the API as the member: method, path, body, headers."""
    client = Client()
    await write(client.force_login, member)

    def send_now(method: str, path: str, body: Any, headers: dict[str, str]) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        data = b"" if body is None else content
        return client.generic(method, f"/api/v1/{path}", data, content_type="application/json", headers=headers)

    async def send(method: str, path: str, body: Any = None, **headers: str) -> Any:
        return await write(send_now, method, path, body, headers)

    return send


async def test_a_question_is_taken_with_its_events_address(
    station: Station, member: Member, play: Play, call: Call
) -> None:
    play(Script(*deltas("An answer")))
    conversation = await write(conversation_of, member)
    response = await call("POST", f"conversations/{conversation.pk}/turns", {"question": "What now?"})
    body = response.json()
    assert response.status_code == 202
    assert body["events_url"] == f"/api/v1/turns/{body['id']}/events"
    assert response["Location"] == f"/api/v1/turns/{body['id']}"
    assert (await ended(Turn(pk=body["id"]))).answer == "An answer"


async def test_a_second_send_while_one_runs_is_told_where_that_one_is(
    station: Station, member: Member, play: Play, call: Call
) -> None:
    play(Script(asyncio.Event()))
    path = f"conversations/{(await write(conversation_of, member)).pk}/turns"
    first = (await call("POST", path, {"question": "One?"})).json()
    second = await call("POST", path, {"question": "Two?"})
    assert (second.status_code, second.json()["code"]) == (409, "run_in_progress")
    assert second.json()["events"] == first["events_url"]


async def test_the_same_key_is_the_same_turn_and_one_run(
    station: Station, member: Member, play: Play, call: Call
) -> None:
    script = play(Script(*deltas("An answer")))
    path = f"conversations/{(await write(conversation_of, member)).pk}/turns"
    sent = [call("POST", path, {"question": "One?"}, **{"Idempotency-Key": "k"}) for _ in range(5)]
    ids = {response.json()["id"] for response in await asyncio.gather(*sent)}
    await ended(Turn(pk=next(iter(ids))))
    other = await call("POST", path, {"question": "Another?"}, **{"Idempotency-Key": "k"})
    assert len(ids) == 1
    assert script.plays == 1
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"question": ""}, "invalid_question"),
        ({"question": " \n\t"}, "invalid_question"),
        ({"question": "x" * 4_001}, "invalid_question"),
        ({"question": "a\x00b"}, "invalid"),
        (b'{"question": "a\\ud800b"}', "invalid"),
        ({"question": "x", "answers": "no-id"}, "invalid"),
        ({"question": "x", "replaces": str(uuid4())}, "invalid_question"),
        ({}, "invalid"),
        (b"{", "parse_error"),
    ],
)
async def test_a_question_that_cannot_be_is_refused_and_leaves_nothing(
    station: Station, member: Member, call: Call, body: Any, code: str
) -> None:
    conversation = await write(conversation_of, member)
    response = await call("POST", f"conversations/{conversation.pk}/turns", body)
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert await write(Turn.objects.count) == 0


async def test_an_unknown_field_is_named(station: Station, member: Member, call: Call) -> None:
    conversation = await write(conversation_of, member)
    response = await call("POST", f"conversations/{conversation.pk}/turns", {"question": "x", "questoin": "y"})
    assert [error["field"] for error in response.json()["errors"]] == ["questoin"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "turns/{turn}", None),
        ("POST", "turns/{turn}/stop", None),
        ("POST", "turns/{turn}/retry", {}),
        ("POST", "turns/{turn}/feedback", {"rating": "up"}),
        ("GET", "conversations/{conversation}/turns", None),
        ("POST", "conversations/{conversation}/turns", {"question": "x"}),
    ],
)
async def test_another_member_s_ids_answer_like_none(
    station: Station, other_member: Member, call: Call, method: str, path: str, body: Any
) -> None:
    turn = await write(accept, other_member)
    foreign = await call(method, path.format(turn=turn.pk, conversation=turn.conversation_id), body)
    unknown = await call(method, path.format(turn=uuid4(), conversation=uuid4()), body)
    assert (foreign.status_code, foreign.json()) == (unknown.status_code, unknown.json())
    assert foreign.status_code == 404
    assert await write(Turn.objects.count) == 1


async def test_a_turn_under_way_shows_its_text_so_far(station: Station, member: Member, play: Play, call: Call) -> None:
    script = play(Script(*deltas("So far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    await _settled(turn)
    one = (await call("GET", f"turns/{turn.pk}")).json()
    listed = (await call("GET", f"conversations/{turn.conversation_id}/turns")).json()["results"]
    assert (one["status"], one["question"], one["answer"]) == ("running", turn.question, "So far")
    assert listed == [one]
    assert one["last_seq"] == 2


async def test_stop_keeps_what_was_written(station: Station, member: Member, play: Play, call: Call) -> None:
    script = play(Script(*deltas("So far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    assert (await call("POST", f"turns/{turn.pk}/stop")).status_code == 202
    stored = await ended(turn)
    assert (stored.status, stored.answer) == ("stopped", "So far")
    assert (await call("POST", f"turns/{turn.pk}/stop")).status_code == 200


async def test_a_retry_stands_in_the_place_of_the_old_turn(
    station: Station, member: Member, play: Play, call: Call
) -> None:
    play(Script(*deltas("First"), ValueError()))
    turn = await write(accept, member)
    runs.start(turn)
    await ended(turn)
    play(Script(*deltas("Second")))
    again = await call("POST", f"turns/{turn.pk}/retry", {"mode": "again"})
    await ended(Turn(pk=again.json()["id"]))
    listed = (await call("GET", f"conversations/{turn.conversation_id}/turns")).json()["results"]
    assert (again.status_code, again.json()["replaces"]) == (202, str(turn.pk))
    assert [(each["question"], each["answer"]) for each in listed] == [(turn.question, "Second")]


async def test_going_on_needs_an_unfinished_answer(station: Station, member: Member, play: Play, call: Call) -> None:
    play(Script(*deltas("Whole")))
    turn = await write(accept, member)
    runs.start(turn)
    await ended(turn)
    response = await call("POST", f"turns/{turn.pk}/retry", {"mode": "continue"})
    assert response.status_code == 409


async def test_feedback_is_kept(station: Station, member: Member, play: Play, call: Call) -> None:
    play(Script(*deltas("Whole")))
    turn = await write(accept, member)
    runs.start(turn)
    await ended(turn)
    response = await call("POST", f"turns/{turn.pk}/feedback", {"rating": "down", "reason": "Too short"})
    assert response.status_code == 200
    assert (await call("GET", f"turns/{turn.pk}")).json()["feedback"]["reason"] == "Too short"


async def test_pages_neither_repeat_nor_lose_a_turn(station: Station, member: Member, call: Call) -> None:
    conversation = await write(_with_turns, member, 7)
    path: str | None = f"conversations/{conversation.pk}/turns?page_size=1"
    numbers = []
    while path:
        page = (await call("GET", path)).json()
        numbers += [turn["number"] for turn in page["results"]]
        path = page["next"] and page["next"].split("/api/v1/")[1]
    assert numbers == [1, 2, 3, 4, 5, 6, 7]


async def test_while_the_log_does_not_answer_nothing_is_taken(station: Station, member: Member, call: Call) -> None:
    conversation = await write(conversation_of, member)
    with cut_off(station.log):
        response = await call("POST", f"conversations/{conversation.pk}/turns", {"question": "x"})
    assert (response.status_code, response.json()["code"]) == (503, "try_later")
    assert response["Retry-After"]
    assert await write(Turn.objects.count) == 0


async def test_while_draining_nothing_is_taken(station: Station, member: Member, call: Call) -> None:
    conversation = await write(conversation_of, member)
    await runs.drain(0)
    response = await call("POST", f"conversations/{conversation.pk}/turns", {"question": "x"})
    assert (response.status_code, response.json()["code"]) == (503, "draining")


async def test_a_turn_that_cannot_be_started_ends_failed_with_its_question_kept(
    station: Station, member: Member, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(turn: Turn) -> None:
        raise NoRunLoop

    monkeypatch.setattr(runs, "start", gone)
    conversation = await write(conversation_of, member)
    response = await call("POST", f"conversations/{conversation.pk}/turns", {"question": "What now?"})
    stored = await reread(Turn(pk=response.json()["id"]))
    assert (response.status_code, stored.status, stored.question) == (202, "failed", "What now?")
    assert stored.error_code == "no_run_loop"


def _with_turns(member: Member, count: int) -> Conversation:
    conversation = conversation_of(member)
    Turn.objects.bulk_create(
        Turn(conversation=conversation, number=number, question="q", status="answered")
        for number in range(count, 0, -1)
    )
    return conversation


async def _settled(turn: Turn) -> None:
    """Until all the run has said is in its log."""
    assert runs._current is not None
    assert await runs._current.live[str(turn.pk)]._speech.log.settled(5)
