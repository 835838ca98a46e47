"""Whether this process is well: /livez and /readyz for machines, a page of every dependency for staff.

The two addresses are answered before Django, so that they need no host name, no session and no free thread.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from corpus.selectors import graph_state
from pipeline import runs, wiring
from secondact.mail import mail_ping, mail_state

PING_SECONDS = 3.0
# Without these no question can be answered at all; without the others the answer is only poorer.
NEEDED = frozenset(["postgres", "redis"])


class Phase(Enum):
    """The life of a web process."""

    WARMING = "warming"
    SERVING = "serving"
    DRAINING = "draining"


@dataclass
class Life:
    """Where this process stands in its life; `serve` moves it on. Under another server it begins as serving."""

    phase: Phase = Phase.SERVING


LIFE = Life()

Ping = Callable[[], Awaitable[None]]


async def pings_ask(pings: Mapping[str, Ping]) -> dict[str, str]:
    """Ask every dependency at once: its name and `ok`, or what is wrong with it."""
    answers = await asyncio.gather(*(_ask(ping) for ping in pings.values()))
    return dict(zip(pings, answers, strict=True))


async def _ask(ping: Ping) -> str:
    try:
        async with asyncio.timeout(PING_SECONDS):
            await ping()
    except TimeoutError:
        return f"no answer within {PING_SECONDS:g} s"
    except Exception as error:  # noqa: BLE001  (whatever is wrong with a dependency, this page is the place to say it)
        return type(error).__name__
    return "ok"


async def readiness() -> tuple[HTTPStatus, dict[str, object]]:
    """The status of /readyz and its body."""
    phase = Phase.DRAINING if runs.draining() else LIFE.phase
    if phase is not Phase.SERVING:
        return HTTPStatus.SERVICE_UNAVAILABLE, {"status": phase.value, "dependencies": {}}
    found, adapters = await asyncio.gather(pings_ask(wiring.pings()), _adapters())
    ready = all(answer == "ok" for name, answer in found.items() if name in NEEDED)
    status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
    found["mail"] = mail_state()
    return status, {"status": "ready" if ready else "unavailable", "dependencies": found, "adapters": adapters}


async def _adapters() -> dict[str, str]:
    """What serves what; nothing while that cannot be found out: then a dependency says why."""
    try:
        async with asyncio.timeout(PING_SECONDS):
            return await wiring.adapters()
    except Exception:  # noqa: BLE001  (as above)
        return {}


class HealthAddresses:
    """An ASGI application that answers /livez and /readyz and passes everything else on."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Answer, or pass on."""
        path = scope.get("path") if scope["type"] == "http" else None
        if path == "/livez":
            await _send(send, HTTPStatus.OK, {"status": "alive"})
        elif path == "/readyz":
            await _send(send, *await readiness())
        else:
            await self.application(scope, receive, send)


async def _send(send: Callable[..., Any], status: HTTPStatus, body: Mapping[str, object]) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


@staff_member_required
async def dependencies(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view takes its request)
    """The staff page: every dependency and how it is, what serves what, and how the graph stands."""
    found, adapters = await asyncio.gather(pings_ask({**wiring.pings(), "mail": mail_ping}), _adapters())
    graph = await sync_to_async(graph_state)()
    context = {"dependencies": found, "adapters": adapters, "graph": graph}
    return HttpResponse(render_to_string("secondact/dependencies.html", context))
