"""A conversation followed over a WebSocket."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test import Client
from pytest_django import Settings

from journeys import services
from journeys.models import Member, Turn
from pipeline import runs
from pipeline.routing import websocket_urlpatterns
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.stream_fakes import Script, accept, conversation_of, deltas, ended, until

Play = Callable[[Script], Script]
APPLICATION = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))


@pytest.fixture
def token(member: Member) -> str:
    client = Client()
    client.force_login(member)
    return str(client.cookies["sessionid"].value)


def socket(conversation: object, token: str = "", *, query: str = "", cookie: str = "") -> WebsocketCommunicator:
    headers = [(b"x-session-token", token.encode())] if token else []
    headers += [(b"cookie", f"sessionid={cookie}".encode())] if cookie else []
    return WebsocketCommunicator(APPLICATION, f"/ws/conversations/{conversation}/?{query}", headers=headers)


async def frames_until_end(opened: WebsocketCommunicator) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    while not (frames and frames[-1]["type"] in ("turn.done", "turn.failed", "turn.snapshot")):
        frames.append(json.loads(await opened.receive_from(5)))
    return frames


async def closed_with(opened: WebsocketCommunicator) -> int:
    while (message := await opened.receive_output(5))["type"] != "websocket.close":
        pass
    return int(message["code"])


async def answered(member: Member, play: Play, *pieces: str) -> Turn:
    play(Script(*deltas(*pieces)))
    turn = await write(accept, member)
    runs.start(turn)
    return await ended(turn)


@pytest.mark.parametrize("how", ["token", "cookie"])
async def test_it_replays_a_turn_and_then_follows_every_later_one(
    station: Station, member: Member, play: Play, token: str, how: str
) -> None:
    first = await answered(member, play, " hello", " ", "world ", "\n")
    opened = socket(first.conversation_id, **{how: token}, query=f"turn={first.pk}&after=1")
    assert (await opened.connect())[0]
    replayed = await frames_until_end(opened)
    play(Script(*deltas("second")))
    second = await write(accept, member, conversation=first.conversation)
    runs.start(second)
    live = await frames_until_end(opened)
    assert [frame["seq"] for frame in replayed] == list(range(2, first.last_seq + 1))
    assert "".join(f["data"]["text"] for f in replayed if f["type"] == "answer.delta") == " hello world \n"
    assert {frame["turn"] for frame in live} == {str(second.pk)}
    assert [frame["seq"] for frame in live] == list(range(1, len(live) + 1))
    await opened.disconnect()


async def test_a_turn_under_way_is_followed_from_its_beginning(
    station: Station, member: Member, play: Play, token: str
) -> None:
    gate = asyncio.Event()
    script = play(Script(*deltas("so far"), gate))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    opened = socket(turn.conversation_id, token)
    await opened.connect()
    assert json.loads(await opened.receive_from(5))["type"] == "turn.started"
    gate.set()
    assert (await frames_until_end(opened))[-1]["data"]["status"] == "answered"
    await opened.disconnect()


async def test_a_finished_turn_the_client_has_is_not_sent_again(
    station: Station, member: Member, play: Play, token: str
) -> None:
    turn = await answered(member, play, "One")
    opened = socket(turn.conversation_id, token, query=f"turn={turn.pk}&after={turn.last_seq}")
    await opened.connect()
    assert await opened.receive_nothing(0.1)
    await opened.disconnect()


async def test_anything_received_closes_it(station: Station, member: Member, token: str) -> None:
    opened = socket((await write(conversation_of, member)).pk, token)
    await opened.connect()
    await opened.send_to("hello")
    assert await closed_with(opened) == 4400
    await opened.wait()


@pytest.mark.parametrize("query", ["after=x", "after=-1", "after=99999999999"])
async def test_an_event_id_that_never_was_closes_it(station: Station, member: Member, token: str, query: str) -> None:
    opened = socket((await write(conversation_of, member)).pk, token, query=query)
    await opened.connect()
    assert await closed_with(opened) == 4400


async def test_foreign_and_unknown_conversations_and_turns_close_alike(
    station: Station, member: Member, other_member: Member, token: str
) -> None:
    own, foreign = await write(conversation_of, member), await write(accept, other_member)
    for conversation, query in [
        (foreign.conversation_id, ""),
        (uuid4(), ""),
        ("no-id", ""),
        (own.pk, f"turn={foreign.pk}"),
        (own.pk, f"turn={uuid4()}"),
        (own.pk, "turn=no-id"),
    ]:
        opened = socket(conversation, token, query=query)
        assert (await opened.connect())[0]
        assert await closed_with(opened) == 4404


@pytest.mark.parametrize("wrong", ["", "nobody", "n%00"])
async def test_without_a_sign_in_it_closes(station: Station, member: Member, wrong: str) -> None:
    opened = socket((await write(conversation_of, member)).pk, wrong)
    await opened.connect()
    assert await closed_with(opened) == 4401


async def test_a_drain_closes_it_after_the_last_frames(
    station: Station, member: Member, play: Play, token: str
) -> None:
    script = play(Script(*deltas("so far"), asyncio.Event()))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    opened = socket(turn.conversation_id, token)
    await opened.connect()
    await opened.receive_from(5)
    await runs.drain(0)
    assert (await frames_until_end(opened))[-1]["type"] == "turn.failed"
    assert await closed_with(opened) == 4012


def sign_out(client: Client, member: Member) -> None:
    client.post("/accounts/logout/")


def disable(client: Client, member: Member) -> None:
    member.is_active = False
    member.save()


@pytest.mark.parametrize("leave", [sign_out, disable])
async def test_an_end_of_the_sign_in_closes_it_at_once(
    station: Station, member: Member, play: Play, settings: Settings, leave: Callable[[Client, Member], None]
) -> None:
    settings.FOLLOW_CHECK_SECONDS = 3_600
    client, conversation = await write(_signed_in, member)
    opened = socket(conversation.pk, client.cookies["sessionid"].value)
    await opened.connect()
    await until(lambda: list(station.hub.followers()))
    await write(leave, client, member)
    assert await closed_with(opened) == 4401


def change_password(member: Member) -> None:
    member.set_password("another-long-password")
    member.save()


def disable_quietly(member: Member) -> None:
    Member.objects.filter(pk=member.pk).update(is_active=False)


@pytest.mark.parametrize("leave", [change_password, disable_quietly])
async def test_a_heartbeat_finds_out_that_a_sign_in_has_ended(
    station: Station, member: Member, token: str, leave: Callable[[Member], None]
) -> None:
    opened = socket((await write(conversation_of, member)).pk, token)
    await opened.connect()
    await until(lambda: list(station.hub.followers()))
    await write(leave, member)
    await station.watch.check()
    assert await closed_with(opened) == 4401


@pytest.fixture
def own_backend(member: Member) -> int:
    """The process that serves the test's own connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


async def test_a_deleted_conversation_lets_its_followers_go(station: Station, member: Member, token: str) -> None:
    conversation = await write(conversation_of, member)
    opened = socket(conversation.pk, token)
    await opened.connect()
    await until(lambda: list(station.hub.followers()))
    await write(services.conversation_delete, member=member, conversation_id=conversation.pk)
    await station.watch.check()
    assert await closed_with(opened) == 4404


async def test_a_cut_of_all_database_connections_leaves_the_socket_open(
    station: Station, member: Member, play: Play, token: str, own_backend: int
) -> None:
    first = await answered(member, play, "One")
    opened = socket(first.conversation_id, token)
    await opened.connect()
    await until(lambda: list(station.hub.followers()))
    await write(_cut_all_but, own_backend)
    play(Script(*deltas("Two")))
    second = await write(accept, member, conversation=first.conversation)
    runs.start(second)
    assert (await frames_until_end(opened))[-1]["data"]["status"] == "answered"
    await opened.disconnect()


def _signed_in(member: Member) -> tuple[Client, Any]:
    client = Client()
    client.force_login(member)
    return client, services.conversation_create(member=member)


def _cut_all_but(own_backend: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), %s)",
            [own_backend],
        )
