"""A turn's frames as server-sent events: replayed, then live, until the turn is over.

A plain async view, since REST framework has none. Before the first frame it gives back what its request held, the
database connection and the thread: a stream is open for long and needs neither.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

from asgiref.sync import SyncToAsync, sync_to_async
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from journeys import selectors
from journeys.models import Turn
from pipeline.access import Viewer, viewer_of_request
from pipeline.follower import Comment, End, Follower
from pipeline.following import Following
from pipeline.run_log import Entry
from pipeline.transports.event_ids import seq_of
from pipeline.wiring import station_of

HEADERS = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
"""No compressor and no proxy on the way may hold frames back."""


@csrf_exempt  # it changes nothing: another method is no forgery, just not there
@require_GET
async def turn_events(request: HttpRequest, turn_id: str) -> HttpResponseBase:
    """The events of a turn from `Last-Event-ID` or `?after=` on; 204 when there will never be one.

    Raises NotSignedIn, UnknownEvent, and NotFound for another member's turn as for none.
    """
    station = station_of(asyncio.get_running_loop())
    turn, viewer, after = await sync_to_async(_admit)(request, turn_id)
    if turn.finished and after >= turn.last_seq:
        return HttpResponse(status=204)
    follower = Follower(conversation=str(turn.conversation_id), turn=str(turn.pk), viewer=viewer)
    following = Following(station, follower, starts={str(turn.pk): after})
    return StreamingHttpResponse(_stream(following), content_type="text/event-stream", headers=HEADERS)


async def _stream(following: Following) -> AsyncIterator[bytes]:
    await _give_back_request()
    # Something at once, so that headers are flushed and the client knows that it is connected.
    yield b": following\n\n"
    async with aclosing(following.items()) as items:
        async for item in items:
            match item:
                case Entry():
                    yield f"id: {item.seq}\ndata: {item.text}\n\n".encode()
                case Comment():
                    yield b": still here\n\n"
                case End():
                    return


async def _give_back_request() -> None:
    """Let go of the thread that Django keeps for this request, and of the connection kept in that thread.

    Only once the response streams: until then middleware may still use both.
    """
    context = SyncToAsync.thread_sensitive_context.get(None)
    if context is None or context not in SyncToAsync.context_to_thread_executor:
        return
    await sync_to_async(connections.close_all)()
    executor = SyncToAsync.context_to_thread_executor.pop(context, None)
    if executor is not None:
        executor.shutdown(wait=False)


def _admit(request: HttpRequest, turn_id: str) -> tuple[Turn, Viewer, int]:
    member, viewer = viewer_of_request(request)
    turn = selectors.turn_get(member=member, turn_id=turn_id)
    return turn, viewer, seq_of(request.headers.get("Last-Event-ID") or request.GET.get("after") or "0")
