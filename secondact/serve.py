"""The web server: Daphne with a warm start and a graceful end.

Warm start: clients and model are opened on the reactor's own loop; until that is done /readyz answers 503 and other
requests wait. Graceful end: at SIGTERM /readyz and new turns answer 503, runs get their time, followers are told, then
what is left is cancelled and the clients are closed.
"""

import asyncio
import logging
import resource
from collections.abc import Awaitable, Callable
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server, reactor
from django.conf import settings
from twisted.internet import defer

from pipeline import runs, wiring
from secondact.health import LIFE, HealthAddresses, Phase

logger = logging.getLogger(__name__)

Application = Callable[..., Awaitable[None]]
# A follower is a file descriptor; the usual soft limit of 1,024 is soon reached.
FILES = 65_536


class WarmGate:
    """An ASGI application that lets requests wait until the clients are open."""

    def __init__(self, application: Application, warm: asyncio.Event) -> None:
        self.application = application
        self.warm = warm

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Wait, then pass on."""
        await self.warm.wait()
        await self.application(scope, receive, send)


class WebServer(Server):  # type: ignore[misc]  # daphne is untyped
    """Daphne's server with our start and end. `exit_code` is 1 when the start failed."""

    def __init__(self, application: Application, *, host: str, port: int) -> None:
        self.warm = asyncio.Event()
        self.exit_code = 0
        self._opening: asyncio.Task[None] | None = None
        super().__init__(
            HealthAddresses(WarmGate(application, self.warm)),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            http_timeout=None,
            websocket_timeout=-1,
            ping_interval=20,
            ping_timeout=30,
            # Our own end of an application has its own limit; Daphne's would cut it short.
            application_close_timeout=30,
            server_name="",
        )

    def run(self) -> None:
        """Serve until a signal."""
        LIFE.phase = Phase.WARMING
        reactor.callWhenRunning(self._open)
        super().run()
        if self.abort_start:
            self.exit_code = 1

    def listen_error(self, failure: Any) -> None:
        """The port is taken, or not ours to take: say it in one line and end with 1."""
        logger.critical("PORT cannot be listened on: %s", failure.getErrorMessage())
        self.exit_code = 1
        self.stop()

    def _open(self) -> None:
        self._opening = asyncio.get_event_loop().create_task(self._open_clients())

    async def _open_clients(self) -> None:
        try:
            runs.use_loop(asyncio.get_running_loop())
            await wiring.open_clients()
        except Exception:  # the edge of the process: whatever fails here, it cannot serve
            logger.critical("The start failed: a client could not be opened.", exc_info=True)
            self.exit_code = 1
            self.stop()
            return
        LIFE.phase = Phase.SERVING
        self.warm.set()
        logger.info("Ready.")

    def kill_all_applications(self) -> defer.Deferred[Any]:
        """What Daphne does at shutdown; ours drains first, because Daphne would cancel every follower at once."""
        LIFE.phase = Phase.DRAINING
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        opened = self.warm.is_set()
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
        try:
            if opened:
                await runs.drain(settings.DRAIN_SECONDS)
        except Exception:  # the end has to go on, whatever a run did
            logger.exception("Draining failed.")
        await self._cancel_applications()
        try:
            await wiring.close_clients()
        except Exception:  # as above
            logger.exception("Clients could not be closed.")

    async def _cancel_applications(self) -> None:
        """Cancel the requests that are still being answered, and wait for their end."""
        applications = [
            application
            for details in self.connections.values()
            if (application := details.get("application_instance")) is not None and not application.done()
        ]
        for application in applications:
            application.cancel()
        await asyncio.gather(*applications, return_exceptions=True)


def serve(*, host: str, port: int) -> int:
    """Serve the product; returns the exit code of the process."""
    _raise_file_limit()
    from secondact.asgi import application

    server = WebServer(application, host=host, port=port)
    server.run()
    return server.exit_code


def _raise_file_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
