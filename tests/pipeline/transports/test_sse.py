"""A turn followed over server-sent events, read as the standard says."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.core.asgi import get_asgi_application
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import AsyncClient

from journeys.models import Member, Turn
from pipeline import runs
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.stream_fakes import Script, accept, deltas, ended, reread

Play = Callable[[Script], Script]
Frame = dict[str, Any]


@pytest.fixture
def client(member: Member) -> AsyncClient:
    signed_in = AsyncClient()
    signed_in.force_login(member)
    return signed_in


def events_of(turn: Turn) -> str:
    return f"/api/v1/turns/{turn.pk}/events"


def parse(stream: str) -> list[tuple[str, Frame]]:
    """The (id, data) of each event; comments are passed over. Any other field fails."""
    found = []
    for block in stream.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            fields = dict(line.split(": ", 1) for line in lines)
            assert set(fields) == {"id", "data"}
            found.append((fields["id"], json.loads(fields["data"])))
    return found


async def read(response: Any) -> list[tuple[str, Frame]]:
    assert isinstance(response, StreamingHttpResponse)
    chunks: AsyncIterator[bytes] = response.streaming_content  # type: ignore[assignment]
    return parse("".join([chunk.decode() async for chunk in chunks]))


async def answered(member: Member, play: Play, *pieces: str) -> Turn:
    play(Script(*deltas(*pieces)))
    turn = await write(accept, member)
    runs.start(turn)
    return await ended(turn)


async def test_the_stream_is_unnamed_events_with_the_seq_as_id(
    station: Station, member: Member, play: Play, client: AsyncClient
) -> None:
    turn = await answered(member, play, "Steps:\n", "\r\n\r\n", "event: done\n\n")
    response = await client.get(events_of(turn))
    found = await read(response)
    assert response["Content-Type"] == "text/event-stream"
    assert response["X-Accel-Buffering"] == "no"
    assert "no-cache" in response["Cache-Control"]
    assert [event_id for event_id, _ in found] == [str(frame["seq"]) for _, frame in found]
    assert {frozenset(frame) for _, frame in found} == {frozenset({"v", "type", "turn", "seq", "data"})}
    text = "".join(frame["data"]["text"] for _, frame in found if frame["type"] == "answer.delta")
    assert text == turn.answer == "Steps:\n\r\n\r\nevent: done\n\n"


@pytest.mark.parametrize("by_header", [True, False])
async def test_it_resumes_after_what_the_client_has(
    station: Station, member: Member, play: Play, client: AsyncClient, by_header: bool
) -> None:
    turn = await answered(member, play, "One")
    if by_header:
        response = await client.get(events_of(turn), headers={"Last-Event-ID": "2"})
    else:
        response = await client.get(events_of(turn), {"after": "2"})
    assert [event_id for event_id, _ in await read(response)] == [str(seq) for seq in range(3, turn.last_seq + 1)]


@pytest.mark.parametrize("beyond", [0, 1, 1_000])
async def test_a_finished_turn_has_nothing_after_its_last_event(
    station: Station, member: Member, play: Play, client: AsyncClient, beyond: int
) -> None:
    turn = await answered(member, play, "One")
    assert (await client.get(events_of(turn), {"after": str(turn.last_seq + beyond)})).status_code == 204


@pytest.mark.parametrize("event_id", ["abc", "-1", "1.5", "1e3", "٣", "9" * 20, "0x1", "1 "])
async def test_an_event_id_that_never_was_is_refused(
    station: Station, member: Member, client: AsyncClient, event_id: str
) -> None:
    turn = await write(accept, member)
    response = await client.get(events_of(turn), {"after": event_id})
    assert (response.status_code, response.json()["code"]) == (400, "unknown_event")


async def test_another_member_s_turn_answers_like_none(
    station: Station, other_member: Member, client: AsyncClient
) -> None:
    turn = await write(accept, other_member)
    foreign = await client.get(events_of(turn))
    unknown = await client.get(events_of(Turn(pk=uuid4())))
    assert (foreign.status_code, foreign.content) == (unknown.status_code, unknown.content)
    assert foreign.status_code == 404


async def test_a_session_token_signs_in_and_a_wrong_one_does_not(
    station: Station, member: Member, play: Play, client: AsyncClient
) -> None:
    turn = await answered(member, play, "One")
    token = client.cookies["sessionid"].value
    app = AsyncClient()
    assert await read(await app.get(events_of(turn), headers={"X-Session-Token": token}))
    for wrong in ("", "nobody", "nül", "a" * 400):
        answer = await app.get(events_of(turn), headers={"X-Session-Token": wrong} if wrong else {})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


async def test_a_reader_that_leaves_ends_nothing(
    station: Station, member: Member, play: Play, client: AsyncClient
) -> None:
    gate = asyncio.Event()
    script = play(Script(*deltas("a"), gate, *deltas("b")))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    stream = await _open_stream(turn, client)
    await stream.send_input({"type": "http.disconnect"})
    await stream.wait()
    assert not list(station.hub.followers())
    gate.set()
    assert (await ended(turn)).answer == "ab"


async def test_a_quiet_stream_says_that_it_lives(
    station: Station, member: Member, play: Play, client: AsyncClient
) -> None:
    script = play(Script(asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    stream = aiter((await client.get(events_of(turn))).streaming_content)  # type: ignore[attr-defined]
    await anext(stream)
    await anext(stream)
    await station.watch._comment()
    assert (await anext(stream)).startswith(b":")
    await stream.aclose()


async def test_events_are_read_only(member: Member) -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    for method in (client.post, client.put, client.patch, client.delete):
        refused = await method(f"/api/v1/turns/{uuid4()}/events")
        assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")


async def test_a_drain_ends_the_stream_clean(station: Station, member: Member, play: Play, client: AsyncClient) -> None:
    script = play(Script(*deltas("so far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    reading = asyncio.create_task(read(await client.get(events_of(turn))))
    await asyncio.sleep(0)
    await runs.drain(0)
    assert (await reading)[-1][1]["data"]["status"] == "interrupted"
    assert (await reread(turn)).status == "interrupted"


async def test_an_open_stream_holds_neither_thread_nor_connection(
    station: Station, member: Member, play: Play, client: AsyncClient
) -> None:
    script = play(Script(*deltas("so far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    threads = threading.active_count()
    before = await write(_connections)
    streams = [await _open_stream(turn, client) for _ in range(10)]
    assert not SyncToAsync.context_to_thread_executor
    assert threading.active_count() <= threads + 8  # the pool of writes may have grown
    assert await write(_connections) <= before + 8
    for stream in streams:
        await stream.send_input({"type": "http.disconnect"})
        await stream.wait()


async def _open_stream(turn: Turn, client: AsyncClient) -> Any:
    """A stream through Django's own ASGI handler, read up to its first event."""
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "path": events_of(turn),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"cookie", cookie)],
    }
    stream: Any = ApplicationCommunicator(get_asgi_application(), scope)  # type: ignore[no-untyped-call]
    await stream.send_input({"type": "http.request", "body": b"", "more_body": False})
    assert (await stream.receive_output(5))["status"] == 200
    while b"turn.started" not in (await stream.receive_output(5))["body"]:
        pass
    return stream


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
