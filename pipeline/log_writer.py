"""The one writer of a process: what its runs say is appended to their logs, many turns in one round trip.

It sends at once when idle and every 5 ms at most, one batch of a turn at a time. While the log does not answer the
entries wait and are sent again under the same ids. What waits is bounded, and so is a log: past the bound, and where
the log turns out to be lost, one snapshot of all so far takes the place of what came before it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pipeline import events
from pipeline.cancelling import end
from pipeline.errors import LogUnavailable
from pipeline.run_log import Batch, Entry, Outcome, RunLog, entry_of

LOG_MAX_BYTES = 262_144
INTERVAL_SECONDS = 0.005
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
BATCH_MAX_ENTRIES = 128

logger = logging.getLogger(__name__)


class Accepted(Protocol):
    """Told what the log has accepted of one turn."""

    def __call__(self, conversation: str, entries: Sequence[Entry]) -> None: ...


class TurnLog:
    """What one run writes: appending never waits. `snapshot` gives the body of the turn as it stands."""

    def __init__(
        self,
        writer: "LogWriter",
        *,
        turn: str,
        conversation: str,
        owner: str,
        snapshot: Callable[[], Mapping[str, Any]],
        fenced: Callable[[], None],
    ) -> None:
        self.turn = turn
        self.conversation = conversation
        self.owner = owner
        self.next_seq = 1
        self.accepted_seq = 0
        self._closed = False
        self._fenced = fenced
        self._writer = writer
        self._snapshot = snapshot
        self._waiting: list[Entry] = []
        self._log_bytes = 0
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def last_seq(self) -> int:
        """The seq of the newest event, accepted yet or not."""
        return self.next_seq - 1

    def append(self, event: events.Event) -> int:
        """Say this event; its seq."""
        entry = entry_of(event, turn=self.turn, seq=self.next_seq)
        if self._closed:
            return entry.seq
        self.next_seq += 1
        if entry.replaces:
            self._waiting, self._log_bytes = [], 0
        self._waiting.append(entry)
        self._log_bytes += len(entry.text.encode())
        self._settled.clear()
        self._writer.wake(self)
        if self._log_bytes > LOG_MAX_BYTES and not entry.replaces and not entry.ends:
            self.rewrite()
        return entry.seq

    def rewrite(self) -> None:
        """Let one snapshot of all so far, as the next entry, stand for what is in the log and what waits."""
        self.append(events.TurnSnapshot(self._snapshot()))

    async def settled(self, seconds: float) -> bool:
        """Wait so long at most until all that was said is in the log; whether it is."""
        try:
            await asyncio.wait_for(self._settled.wait(), seconds)
        except TimeoutError:
            return False
        return not self._closed

    def next_batch(self) -> Batch | None:
        """What waits, up to the next snapshot, which always begins a batch."""
        if not self._waiting:
            return None
        ahead = self._waiting[1:BATCH_MAX_ENTRIES]
        end = next((place for place, entry in enumerate(ahead, start=1) if entry.replaces), 1 + len(ahead))
        return Batch(self.turn, self.owner, tuple(self._waiting[:end]))

    def accept(self, batch: Batch) -> None:
        """Take off what the log has now, unless a snapshot took its place meanwhile."""
        self.accepted_seq = batch.entries[-1].seq
        self._waiting = [entry for entry in self._waiting if entry.seq > self.accepted_seq]
        if not self._waiting:
            self._settled.set()

    def close(self) -> None:
        """Write nothing more, not even what waits: another writer has this turn."""
        self._closed = True
        self._waiting = []
        self._settled.set()

    def fence(self) -> None:
        """Close, and tell the run."""
        self.close()
        self._fenced()


class LogWriter:
    """Sends what all turns of this process have waiting. One task per event loop."""

    def __init__(self, log: RunLog, accepted: Accepted) -> None:
        self._log = log
        self._accepted = accepted
        self._awake: dict[TurnLog, None] = {}
        self._wake = asyncio.Event()
        self._failures = 0
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to send."""
        self._task = asyncio.create_task(self._send_for_ever())

    async def close(self) -> None:
        """Send no more."""
        if self._task is not None:
            await end(self._task)

    def wake(self, turn_log: TurnLog) -> None:
        """This turn has something waiting."""
        self._awake[turn_log] = None
        self._wake.set()

    async def _send_for_ever(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            began = loop.time()
            if await self._send():
                self._failures = 0
                pause = INTERVAL_SECONDS - (loop.time() - began)
            else:
                pause = RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)]
                self._failures += 1
            if pause > 0:
                await asyncio.sleep(pause)

    async def _send(self) -> bool:
        """Send one batch of every turn that has one; whether the log answered."""
        self._wake.clear()
        found = [(turn_log, turn_log.next_batch()) for turn_log in self._awake]
        batches = [(turn_log, batch) for turn_log, batch in found if batch is not None]
        self._awake = {turn_log: None for turn_log, _ in batches}
        if not batches:
            return True
        try:
            outcomes = await self._log.append([batch for _, batch in batches])
        except LogUnavailable:
            if not self._failures:
                logger.warning("The event log does not answer; entries wait.", exc_info=True)
            self._wake.set()
            return False
        for (turn_log, batch), outcome in zip(batches, outcomes, strict=True):
            try:
                self._settle(turn_log, batch, outcome)
            except Exception:
                logger.exception("Turn %s cannot be written.", turn_log.turn, extra={"turn": turn_log.turn})
                turn_log.fence()
        return Outcome.UNKNOWN not in outcomes

    def _settle(self, turn_log: TurnLog, batch: Batch, outcome: Outcome) -> None:
        match outcome:
            case Outcome.ACCEPTED:
                turn_log.accept(batch)
                self._accepted(turn_log.conversation, batch.entries)
            case Outcome.FENCED:
                logger.warning("Another process writes turn %s.", turn_log.turn, extra={"turn": turn_log.turn})
                turn_log.fence()
            case Outcome.LOST:
                logger.warning("A log is lost; writing a snapshot.", extra={"turn": turn_log.turn})
                turn_log.rewrite()
        if turn_log.next_batch() is None:
            self._awake.pop(turn_log, None)
        else:
            self.wake(turn_log)
