"""What one client still needs of the turns it follows: replay, then live frames, with repair and snapshots.

A follower subscribes first, then replays, drops what it has, then listens. Where log and client do not fit together the
client gets one snapshot, which replaces all it has: from the row when the turn is over, from row and log while it
lives; and where the log itself is broken, its run is asked to write one for everybody.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from journeys import selectors
from journeys.models import Turn
from pipeline import events
from pipeline.errors import LogUnavailable
from pipeline.follower import NOT_FOUND, Behind, Comment, End, Follower, Overrun
from pipeline.run_log import Entry, body_so_far, entry_of, unbroken
from pipeline.wiring import Station
from pipeline.writes import write

JUST_ENDED_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class _Row:
    body: dict[str, Any]
    last_seq: int
    finished_for: float | None
    """Seconds since its end; None while it lives."""

    @property
    def lives(self) -> bool:
        return self.finished_for is None

    @property
    def just_ended(self) -> bool:
        """Whether its last events, which are said after it is stored, may be on their way into the log."""
        return self.finished_for is not None and self.finished_for < JUST_ENDED_SECONDS


class Following:
    """One client's way through the turns it follows. `starts` gives the last seq it has of the turns to replay."""

    def __init__(self, station: Station, follower: Follower, *, starts: Mapping[str, int]) -> None:
        self._station = station
        self._follower = follower
        self._have = follower.have
        self._starts = dict(starts)
        self._over: set[str] = set()

    async def items(self) -> AsyncGenerator[Entry | Comment | End, None]:
        """The frames to send, in order, and marks of time. It ends after an End, or with the one turn it follows."""
        async with self._station.hub.following(self._follower):
            for turn, after in self._starts.items():
                self._have[turn] = after
                for entry in await self._missing(turn):
                    yield self._sent(entry)
            while self._follower.turn is None or self._follower.turn not in self._over:
                item = await self._follower.queue.get()
                match item:
                    case Entry():
                        fresh = await self._fresh(item)
                    case Behind(turn=turn):
                        fresh = await self._missing(turn)
                    case Overrun():
                        fresh = await self._snapshots()
                    case Comment() | End():
                        yield item
                        if isinstance(item, End):
                            return
                        continue
                for entry in fresh:
                    yield self._sent(entry)

    def _sent(self, entry: Entry) -> Entry:
        self._have[entry.turn] = entry.seq
        if entry.ends:
            self._over.add(entry.turn)
        return entry

    async def _fresh(self, entry: Entry) -> Sequence[Entry]:
        """The live entry, or what is missing before it as well, or nothing when the client has it."""
        have = self._have.setdefault(entry.turn, 0)
        if entry.seq <= have:
            return ()
        if entry.seq == have + 1 or entry.replaces:
            return (entry,)
        return await self._missing(entry.turn)

    async def _missing(self, turn: str) -> Sequence[Entry]:
        """What the client lacks of this turn, by its log or else by a snapshot."""
        have = self._have.setdefault(turn, 0)
        needed: Sequence[Entry] | None
        try:
            needed, answers = unbroken(await self._station.log.read(turn, after=have), after=have), True
        except LogUnavailable:
            needed, answers = (), False  # of a turn that lives, live frames or the heartbeat try again
        if needed and needed[-1].ends:
            return needed
        row = await write(_read_row, turn)
        spoke = bool(needed or have)
        if needed is not None and row is not None and (row.lives or (answers and spoke and row.just_ended)):
            if answers and not spoke and row.body["status"] == Turn.Status.RUNNING:
                self._station.hub.tell("rewrite", turn=turn)  # unless its log is lost, the run leaves it as it is
            return needed
        if row is not None and not row.lives and have >= row.last_seq:
            self._over.add(turn)
            return ()
        return await self._snapshot(turn, row)

    async def _snapshots(self) -> Sequence[Entry]:
        """One snapshot of each turn the client had not seen the end of."""
        self._follower.recover()
        found: list[Entry] = []
        for turn in [turn for turn in self._have if turn not in self._over]:
            found.extend(await self._snapshot(turn, await write(_read_row, turn)))
        return found

    async def _snapshot(self, turn: str, row: _Row | None) -> Sequence[Entry]:
        if row is None:
            self._follower.end(NOT_FOUND)
            return ()
        if not row.lives:
            seq = max(row.last_seq, self._have.get(turn, 0), 1)
            return (_snapshot_of(row.body, turn, seq),)
        try:
            held = unbroken(await self._station.log.read(turn))
        except LogUnavailable:
            return ()
        if not held:
            self._station.hub.tell("rewrite", turn=turn)
            return ()
        return (_snapshot_of(body_so_far(row.body, held), turn, held[-1].seq),)


def _snapshot_of(body: dict[str, Any], turn: str, seq: int) -> Entry:
    return entry_of(events.TurnSnapshot(body), turn=turn, seq=seq)


def _read_row(turn_id: str) -> _Row | None:
    age = ExpressionWrapper(Now() - F("finished_at"), DurationField())
    turn = Turn.objects.select_related("feedback").annotate(age=age).filter(pk=turn_id).first()
    if turn is None:
        return None
    return _Row(selectors.turn_body(turn), turn.last_seq, turn.age.total_seconds() if turn.finished else None)
