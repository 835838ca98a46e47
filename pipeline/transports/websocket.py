"""A conversation's frames over a WebSocket: one turn replayed, then that turn and every later one, live.

It takes no message: sending and stopping are REST. It is accepted before anything is checked, so that a browser learns
the code it closes with. Frames come from the follower's queue, not through the dispatch of Channels, and the consumer
has no channel of its own on the layer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from typing import Any
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer

from journeys import selectors
from journeys.errors import NotFound
from journeys.models import Conversation, Turn
from pipeline.access import viewer_of_scope
from pipeline.errors import NoRunLoop, NotSignedIn, UnknownEvent
from pipeline.follower import GOING_AWAY, NOT_FOUND, SIGNED_OUT, End, Follower
from pipeline.following import Following
from pipeline.run_log import Entry
from pipeline.transports.event_ids import seq_of
from pipeline.wiring import station_of
from pipeline.writes import write

UNEXPECTED = 4400

_Message = dict[str, Any]


class ConversationConsumer(AsyncConsumer):  # type: ignore[misc]
    """Follows one conversation for one client."""

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Coroutine[Any, Any, _Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        """Serve one connection from its handshake to its end."""
        await receive()
        await send({"type": "websocket.accept"})
        sending = asyncio.create_task(self._send_all(scope, send))
        hearing = asyncio.create_task(receive())
        try:
            await asyncio.wait([sending, hearing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            hearing.cancel()
            results = await asyncio.gather(sending, hearing, return_exceptions=True)
        heard = results[1]
        if isinstance(heard, dict) and heard["type"] == "websocket.receive":
            await send({"type": "websocket.close", "code": UNEXPECTED})
        elif isinstance(results[0], Exception):
            raise results[0]

    async def _send_all(self, scope: _Message, send: Callable[[_Message], Awaitable[None]]) -> None:
        try:
            station = station_of(asyncio.get_running_loop())
            follower, starts = await write(_admit, scope)
        except NotSignedIn:
            code = SIGNED_OUT
        except NotFound:
            code = NOT_FOUND
        except UnknownEvent:
            code = UNEXPECTED
        except NoRunLoop:
            code = GOING_AWAY
        else:
            code = await _follow(Following(station, follower, starts=starts), send)
        await send({"type": "websocket.close", "code": code})


async def _follow(following: Following, send: Callable[[_Message], Awaitable[None]]) -> int:
    """Send frames for as long as there may be any; the code to close with."""
    async with aclosing(following.items()) as items:
        async for item in items:
            if isinstance(item, Entry):
                await send({"type": "websocket.send", "text": item.text})
            elif isinstance(item, End):
                return item.code
    return GOING_AWAY


def _admit(scope: _Message) -> tuple[Follower, dict[str, int]]:
    """Who follows what, from where on. Raises NotSignedIn, NotFound, UnknownEvent."""
    member, viewer = viewer_of_scope(scope)
    conversation_id = scope["url_route"]["kwargs"]["conversation"]
    conversation = selectors.conversation_get(member=member, conversation_id=conversation_id)
    query = parse_qs(scope["query_string"].decode("latin-1"))
    return Follower(conversation=str(conversation.pk), viewer=viewer), _starts(conversation, query)


def _starts(conversation: Conversation, query: dict[str, list[str]]) -> dict[str, int]:
    """The turn asked for, after the seq the client has; and a turn that runs at this moment, from its beginning."""
    starts: dict[str, int] = {}
    after = seq_of(query.get("after", ["0"])[0])
    if named := query.get("turn"):
        turn = conversation.turns.filter(pk=selectors.id_of(named[0])).first()
        if turn is None:
            raise NotFound
        starts[str(turn.pk)] = after
    for running in conversation.turns.filter(status__in=Turn.UNFINISHED).values_list("pk", flat=True):
        starts.setdefault(str(running), 0)
    return starts
