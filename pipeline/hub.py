"""Who follows what in this process, and the way of frames between processes.

What the log accepted goes into the queues of this process's followers and, as one message a batch and conversation, to
that conversation's group on the channel layer. A process joins the group once, while it has followers there. Control
messages go to one group that every process reads. The layer delivers at most once: pipeline.watch repairs what is lost.
"""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from channels.layers import get_channel_layer

from pipeline.cancelling import end
from pipeline.follower import Follower
from pipeline.run_log import Entry

CONTROL_GROUP = "runs.control"

logger = logging.getLogger(__name__)


class Hub:
    """The followers of one event loop and its place on the channel layer."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Follower]] = defaultdict(set)
        self._controls: dict[str, Callable[[Mapping[str, Any]], None]] = {}
        self._layer: Any = None
        self._channel = ""
        self._id = uuid.uuid4().hex
        self._joined: set[str] = set()
        self._joining = asyncio.Lock()
        self._outgoing: dict[str, list[Entry]] = {}
        self._outgoing_controls: list[dict[str, Any]] = []
        self._wake = asyncio.Event()
        self._empty = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, *, listen: bool = True) -> None:
        """Begin to pass messages on, and with `listen` to take in those of other processes."""
        self._layer = get_channel_layer()
        self._spawn(self._publish_for_ever())
        if listen:
            self._channel = await self._layer.new_channel()
            await self._layer.group_add(CONTROL_GROUP, self._channel)
            self._spawn(self._receive_for_ever())

    async def close(self) -> None:
        """Send what waits, then leave the layer."""
        await self._publish()
        await end(*self._tasks)
        await self._layer.flush()

    def on(self, kind: str, handler: Callable[[Mapping[str, Any]], None]) -> None:
        """Call this for every control message of a kind, from whatever process it comes."""
        self._controls[kind] = handler

    def tell(self, kind: str, **details: str) -> None:
        """Send a control message to every process, this one first."""
        self._control({"kind": kind, **details})
        self._outgoing_controls.append({"kind": kind, **details})
        self._wake.set()

    def accepted(self, conversation: str, entries: Sequence[Entry]) -> None:
        """Pass on what the log has accepted."""
        self._deliver(conversation, entries)
        self._outgoing.setdefault(conversation, []).extend(entries)
        self._wake.set()

    def followers(self) -> Iterator[Follower]:
        """Everyone who follows here now."""
        for group in list(self._followers.values()):
            yield from list(group)

    async def deserted(self, seconds: float) -> bool:
        """Wait so long at most until nobody follows here; whether that is so."""
        self._empty.clear()
        if not self._followers:
            return True
        try:
            await asyncio.wait_for(self._empty.wait(), seconds)
        except TimeoutError:
            return False
        return True

    @asynccontextmanager
    async def following(self, follower: Follower) -> AsyncIterator[None]:
        """Let this follower's queue fill for as long as the block lasts."""
        self._followers[follower.conversation].add(follower)
        try:
            await self.join(follower.conversation)
            yield
        finally:
            self._followers[follower.conversation].discard(follower)
            if not self._followers[follower.conversation]:
                del self._followers[follower.conversation]
                if not self._followers:
                    self._empty.set()
            self._spawn(self.join(follower.conversation))

    async def join(self, *conversations: str) -> None:
        """Be in these conversations' groups just when somebody follows them here. What fails is tried again later."""
        async with self._joining:
            for conversation in conversations:
                wanted, joined = conversation in self._followers, conversation in self._joined
                if wanted == joined or not self._channel:
                    continue
                try:
                    await self._settle(conversation, wanted=wanted)
                except Exception:  # any fault of the layer's server; the heartbeat makes it good
                    logger.warning("The channel layer does not answer.", exc_info=True)

    async def _settle(self, conversation: str, *, wanted: bool) -> None:
        if wanted:
            await self._layer.group_add(_group(conversation), self._channel)
            self._joined.add(conversation)
        else:
            self._joined.discard(conversation)
            await self._layer.group_discard(_group(conversation), self._channel)

    def _deliver(self, conversation: str, entries: Sequence[Entry]) -> None:
        for follower in self._followers.get(conversation, ()):
            for entry in entries:
                follower.offer(entry)

    def _control(self, message: Mapping[str, Any]) -> None:
        handler = self._controls.get(message["kind"])
        if handler is not None:
            handler(message)

    async def _publish_for_ever(self) -> None:
        while True:
            await self._wake.wait()
            await self._publish()

    async def _publish(self) -> None:
        self._wake.clear()
        controls, self._outgoing_controls = self._outgoing_controls, []
        outgoing, self._outgoing = self._outgoing, {}
        try:
            for message in controls:
                await self._layer.group_send(CONTROL_GROUP, {"type": "control", "from": self._id, **message})
            for conversation, entries in outgoing.items():
                rows = [[entry.turn, entry.seq, entry.type, entry.text, entry.ends] for entry in entries]
                message = {"type": "frames", "from": self._id, "conversation": conversation, "entries": rows}
                await self._layer.group_send(_group(conversation), message)
        except Exception:  # as above; followers elsewhere repair the gap
            logger.warning("The channel layer does not answer.", exc_info=True)

    async def _receive_for_ever(self) -> None:
        while True:
            message = await self._layer.receive(self._channel)
            if message["from"] == self._id:
                continue
            try:
                self._take(message)
            except Exception:
                logger.exception("A message of the channel layer could not be used.")

    def _take(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "control":
            self._control(message)
        else:
            self._deliver(message["conversation"], [Entry(*row) for row in message["entries"]])

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _group(conversation: str) -> str:
    return f"conversation.{conversation}"
