"""Starting, stopping and draining the runs of this process.

A run lives on the event loop that `serve` (or `ask`, or a test) named with `use_loop`. Everything else may be called
from any thread.
"""

import asyncio
import contextvars
import logging
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings

from journeys.models import Turn
from pipeline import wiring
from pipeline.cancelling import end
from pipeline.errors import Draining, LogUnavailable, NoRunLoop, TryLater
from pipeline.follower import GOING_AWAY
from pipeline.run_log import Entry
from pipeline.run_task import Run, begun

LEAVE_SECONDS = 2.0
"""How long followers have to leave once told that the server goes down."""

_T = TypeVar("_T")

logger = logging.getLogger(__name__)


class _Runs:
    """The runs of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.draining = False
        self.tasks: set[asyncio.Task[None]] = set()
        self.live: dict[str, Run] = {}

    def launch(self, turn_id: UUID) -> None:
        # An empty context: a run must not carry the request's database connection, language or thread with it.
        task = self.loop.create_task(self._run(turn_id), context=contextvars.Context())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _run(self, turn_id: UUID) -> None:
        try:
            station = wiring.station_of(self.loop)
            station.hub.on("stop", self.stop)
            station.hub.on("rewrite", self.repair)
            run = await begun(station, turn_id)
            if run is None:
                return
            self.live[str(turn_id)] = run
            if self.draining:
                run.interrupt()
            await run.go()
        except Exception:
            # The edge of a task nobody awaits: its lease runs out, and whoever sees that ends the turn.
            logger.exception("The run of turn %s broke.", turn_id, extra={"turn": str(turn_id)})
        finally:
            self.live.pop(str(turn_id), None)

    def stop(self, message: Mapping[str, Any]) -> None:
        if run := self.live.get(message["turn"]):
            run.stop()

    def repair(self, message: Mapping[str, Any]) -> None:
        if run := self.live.get(message["turn"]):
            task = self.loop.create_task(_repaired(run))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)


_current: _Runs | None = None


def use_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Let turns run on this loop, once its clients are open; None: nowhere."""
    global _current
    _current = _Runs(loop) if loop is not None else None


def start(turn: Turn) -> None:
    """Run an accepted and committed turn, from whatever thread. Raises NoRunLoop, Draining."""
    runs = _open()
    try:
        runs.loop.call_soon_threadsafe(runs.launch, turn.pk)
    except RuntimeError as error:  # the loop is closed
        raise NoRunLoop from error


def check_open() -> None:
    """Return when a new turn can be taken; never to be called on the loop itself.

    Raises NoRunLoop, Draining, and TryLater when the event log does not answer.
    """
    runs = _open()
    try:
        _on_loop(runs, wiring.station_of(runs.loop).log.ping())
    except LogUnavailable as error:
        raise TryLater from error


def read_log(turn: str) -> list[Entry]:
    """All entries of a turn's log; never to be called on the loop itself. Raises NoRunLoop, LogUnavailable."""
    if _current is None:
        raise NoRunLoop
    return _on_loop(_current, wiring.station_of(_current.loop).log.read(turn))


def tell(kind: str, **details: str) -> None:
    """Send a control message to every process, if this one has a loop; what it is about stands in the database too."""
    if _current is not None and not _current.loop.is_closed():
        hub = wiring.station_of(_current.loop).hub
        _current.loop.call_soon_threadsafe(lambda: hub.tell(kind, **details))


def stop(turn: Turn) -> None:
    """Make the stop that stands in the turn's row quick, wherever it runs."""
    tell("stop", turn=str(turn.pk))


def draining() -> bool:
    """Whether this process takes no new turns any more."""
    return _current is not None and _current.draining


async def drain(seconds: float) -> None:
    """Take no new turns, give the runs so long to end, end the rest as interrupted, and then let all followers go."""
    if _current is None:
        return
    runs = _current
    runs.draining = True
    if runs.tasks:
        await asyncio.wait(runs.tasks, timeout=seconds)
    for run in list(runs.live.values()):
        run.interrupt()
    if runs.tasks:
        await asyncio.wait(runs.tasks, timeout=_log_timeout() + 3.0)
    await end(*runs.tasks)
    await _let_followers_go(runs)


async def _let_followers_go(runs: _Runs) -> None:
    hub = wiring.station_of(runs.loop).hub
    for follower in hub.followers():
        follower.end(GOING_AWAY)
    await hub.deserted(LEAVE_SECONDS)


async def _repaired(run: Run) -> None:
    try:
        await run.repair()
    except LogUnavailable:
        logger.warning("The log of turn %s cannot be repaired yet.", run.turn, extra={"turn": str(run.turn)})


def _on_loop(runs: _Runs, asked: Coroutine[Any, Any, _T]) -> _T:
    """What the log answers to a question from another thread. Raises NoRunLoop, LogUnavailable."""
    try:
        return asyncio.run_coroutine_threadsafe(asked, runs.loop).result(_log_timeout() + 0.5)
    except TimeoutError as error:
        raise LogUnavailable from error
    except RuntimeError as error:  # the loop is closed
        asked.close()
        raise NoRunLoop from error


def _open() -> _Runs:
    if _current is None or _current.loop.is_closed():
        raise NoRunLoop
    if _current.draining:
        raise Draining
    return _current


def _log_timeout() -> float:
    return float(getattr(settings, "LOG_TIMEOUT_SECONDS", 2.0))
