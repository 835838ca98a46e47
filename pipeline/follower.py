"""One client's queue: what the rest of the process puts in, and what the client's side takes out."""

import asyncio
import time
from dataclasses import dataclass

from pipeline.access import Viewer
from pipeline.run_log import Entry

QUEUE_MAX_FRAMES = 256

SIGNED_OUT = 4401
NOT_FOUND = 4404
GOING_AWAY = 4012


@dataclass(frozen=True, slots=True)
class Behind:
    """The follower may lack events of this turn: read them."""

    turn: str


@dataclass(frozen=True, slots=True)
class Overrun:
    """Frames came faster than the client took them; those that waited are dropped."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Time to show the client that the connection lives."""


@dataclass(frozen=True, slots=True)
class End:
    """Nothing more comes; the code is the one a WebSocket closes with."""

    code: int


Item = Entry | Behind | Overrun | Comment | End


class Follower:
    """One client's queue, and what it has of each turn (the last seq)."""

    def __init__(self, *, conversation: str, turn: str | None = None, viewer: Viewer | None = None) -> None:
        self.conversation = conversation
        self.turn = turn
        self.viewer = viewer
        self.have: dict[str, int] = {}
        self.queue: asyncio.Queue[Item] = asyncio.Queue()
        self._overrun = False
        self._ended = False
        self._since = time.monotonic()

    @property
    def age(self) -> float:
        """Seconds since it came."""
        return time.monotonic() - self._since

    def offer(self, item: Entry | Behind | Comment) -> None:
        """Put this in the queue; a full queue becomes one Overrun."""
        if self._ended or self._overrun or (isinstance(item, Entry) and self.turn not in (None, item.turn)):
            return
        if self.queue.qsize() >= QUEUE_MAX_FRAMES:
            self._clear()
            self._overrun = True
            self.queue.put_nowait(Overrun())
            return
        self.queue.put_nowait(item)

    def recover(self) -> None:
        """Take frames again after an Overrun."""
        self._overrun = False

    def end(self, code: int, *, at_once: bool = False) -> None:
        """Let nothing more come, and with `at_once` not even what waits already."""
        if self._ended:
            return
        if at_once:
            self._clear()
        self._ended = True
        self.queue.put_nowait(End(code))

    def _clear(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()
