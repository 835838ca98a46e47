"""A turn's events in Redis: append, read, beat. The only module of the pipeline that knows the server.

The log of a turn is a stream whose entry ids are the seqs (`seq-0`), so that no two writers can both write an event. It
begins with seq 1 or with a snapshot, and apart from snapshots it has no holes: an append that does not follow on from
what the server holds is refused as lost, one that meets another writer's entry as fenced. Commands of Redis 6.2 only.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

from django.conf import settings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.exceptions import NoScriptError, RedisError

from pipeline import events
from pipeline.errors import LogUnavailable
from pipeline.fold import Fold

CONNECTIONS = 16
UNFINISHED = frozenset({"accepted", "running"})

# One call appends what one turn has waiting, whole or not at all. Entries the stream already holds must be this
# writer's own, word for word: then a lost reply came after the write, and they count as accepted.
_APPEND = """
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local top = 0
if newest[1] then top = tonumber(string.match(newest[1][1], '^%d+')) end
local first = tonumber(ARGV[1])
for i = 5, #ARGV do
  local seq = first + i - 5
  if seq > top then break end
  local held = redis.call('XRANGE', KEYS[1], seq .. '-0', seq .. '-0')[1]
  if not held or held[2][2] ~= ARGV[2] or held[2][4] ~= ARGV[i] then return 'fenced' end
end
if top < first - 1 and ARGV[3] ~= '1' then return 'lost' end
for i = 5, #ARGV do
  local seq = first + i - 5
  if seq > top then redis.call('XADD', KEYS[1], seq .. '-0', 'w', ARGV[2], 'f', ARGV[i]) end
end
if ARGV[3] == '1' then redis.call('XTRIM', KEYS[1], 'MINID', first .. '-0') end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 'accepted'
"""
_APPEND_SHA = hashlib.sha1(_APPEND.encode(), usedforsecurity=False).hexdigest()


class Outcome(Enum):
    """What the log said to a batch."""

    ACCEPTED = "accepted"
    LOST = "lost"
    FENCED = "fenced"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Entry:
    """One frame as it goes over the wire."""

    turn: str
    seq: int
    type: str
    text: str
    """The frame's JSON on one line."""
    ends: bool
    """Whether nothing comes after it."""

    @property
    def data(self) -> dict[str, Any]:
        """What the frame says."""
        data: dict[str, Any] = json.loads(self.text)["data"]
        return data

    @property
    def replaces(self) -> bool:
        """Whether it stands for everything before it."""
        return self.type == events.TurnSnapshot.type


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries of one turn, without holes, that wait to be appended by one writer."""

    turn: str
    writer: str
    entries: tuple[Entry, ...]

    @property
    def opens(self) -> bool:
        """Whether the log may begin with it."""
        return self.entries[0].replaces or self.entries[0].seq == 1


def entry_of(event: events.Event, *, turn: str, seq: int) -> Entry:
    """The entry of an event at this place of its turn."""
    return _entry(events.frame_of(event, turn=turn, seq=seq))


def parse(text: str) -> Entry:
    """The entry that this frame's JSON is."""
    return _entry(json.loads(text), text)


def _entry(frame: dict[str, Any], text: str | None = None) -> Entry:
    kind = frame["type"]
    ends = kind in events.TERMINAL_TYPES
    if kind == events.TurnSnapshot.type:
        ends = frame["data"].get("status") not in UNFINISHED
    written = text if text is not None else json.dumps(frame, ensure_ascii=False, separators=(",", ":"), default=str)
    return Entry(frame["turn"], frame["seq"], kind, written, ends)


def unbroken(entries: Sequence[Entry], *, after: int = 0) -> list[Entry] | None:
    """Of a log read from `after` on, what a client that has everything up to `after` still needs.

    None when that cannot be told: a hole, a beginning above `after + 1`, an end before `after`. Wherever the newest
    snapshot stands, what is before it is not needed.
    """
    begin = next((place for place in reversed(range(len(entries))) if entries[place].replaces), None)
    if begin is not None and entries[begin].seq > after:
        needed = list(entries[begin:])
    elif after and not (entries and entries[0].seq == after):
        return None
    else:
        needed = [entry for entry in entries if entry.seq > after]
        if needed and needed[0].seq != after + 1:
            return None
    followed = all(following.seq == entry.seq + 1 for entry, following in pairwise(needed))
    return needed if followed else None


def body_so_far(body: Mapping[str, Any], entries: Sequence[Entry]) -> dict[str, Any]:
    """The body of a turn under way with what its log, from the beginning on, says of it."""
    fold = Fold()
    for entry in entries:
        fold.take(entry.type, entry.data)
    return {**fold.over(body), "last_seq": entries[-1].seq}


class RunLog:
    """The event logs of all turns; one for each event loop. Calls raise LogUnavailable when Redis does not answer."""

    def __init__(self, url: str, *, prefix: str, timeout: float, keep_seconds: int) -> None:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=timeout,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            decode_responses=True,
        )
        self._redis: Any = Redis.from_pool(pool)  # its stubs describe replies of every mode at once
        self._prefix = prefix
        self._keep_seconds = keep_seconds

    @classmethod
    def from_settings(cls) -> "RunLog":
        """The log that the settings name."""
        return cls(
            settings.REDIS_URL,
            prefix=getattr(settings, "REDIS_PREFIX", "secondact"),
            timeout=getattr(settings, "LOG_TIMEOUT_SECONDS", 2.0),
            keep_seconds=int(getattr(settings, "LOG_KEEP_SECONDS", 3_600)),
        )

    async def append(self, batches: Sequence[Batch]) -> list[Outcome]:
        """Append each batch whole or not at all, all in one round trip; what became of each, in order."""
        async with _answering():
            replies = await self._append(batches)
            if any(isinstance(reply, NoScriptError) for reply in replies):  # a server that has started anew
                await self._redis.script_load(_APPEND)
                replies = await self._append(batches)
        return [Outcome.UNKNOWN if isinstance(reply, Exception) else Outcome(reply) for reply in replies]

    async def _append(self, batches: Sequence[Batch]) -> list[Any]:
        pipe = self._redis.pipeline(transaction=False)
        for batch in batches:
            bodies = [entry.text for entry in batch.entries]
            opens = "1" if batch.opens else "0"
            arguments = [str(batch.entries[0].seq), batch.writer, opens, str(self._keep_seconds), *bodies]
            pipe.evalsha(_APPEND_SHA, 1, self._log_key(batch.turn), *arguments)
        replies: list[Any] = await pipe.execute(raise_on_error=False)
        return replies

    async def read(self, turn: str, *, after: int = 0) -> list[Entry]:
        """The entries from this seq on, itself included, in order."""
        async with _answering():
            rows = await self._redis.xrange(self._log_key(turn), min=f"{after}-0")
        return [parse(fields["f"]) for _, fields in rows]

    async def last_seqs(self, turns: Iterable[str]) -> dict[str, int]:
        """The last seq in each turn's log; turns without a log are left out."""
        names = list(turns)
        pipe = self._redis.pipeline(transaction=False)
        for turn in names:
            pipe.xrevrange(self._log_key(turn), count=1)
        async with _answering():
            replies = await pipe.execute() if names else []
        return {turn: int(rows[0][0].split("-")[0]) for turn, rows in zip(names, replies, strict=True) if rows}

    async def beat(self, turn: str, *, writer: str, seconds: float) -> bool:
        """Say for so long that this writer is alive; whether the turn's log is there."""
        pipe = self._redis.pipeline(transaction=False)
        pipe.set(self._beat_key(turn), writer, px=int(seconds * 1_000))
        pipe.exists(self._log_key(turn))
        async with _answering():
            _, there = await pipe.execute()
        return bool(there)

    async def rest(self, turn: str) -> None:
        """Beat no more."""
        async with _answering():
            await self._redis.delete(self._beat_key(turn))

    async def beating(self, turn: str) -> bool:
        """Whether a writer of this turn has said lately that it is alive."""
        async with _answering():
            return bool(await self._redis.exists(self._beat_key(turn)))

    async def ping(self) -> None:
        """Return when the server answers."""
        async with _answering():
            await self._redis.ping()

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    def _log_key(self, turn: str) -> str:
        return f"{self._prefix}:run:{turn}:log"

    def _beat_key(self, turn: str) -> str:
        return f"{self._prefix}:run:{turn}:beat"


@asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    try:
        yield
    except (RedisError, OSError, TimeoutError) as error:
        raise LogUnavailable from error
