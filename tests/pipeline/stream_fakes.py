"""A turn played from a script, and what tests of streams ask again and again."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from journeys import services
from journeys.models import Conversation, Member, Turn
from pipeline import events, runs
from pipeline.follower import End, Follower
from pipeline.following import Following
from pipeline.record import TurnRecord
from pipeline.run_log import Entry, RunLog
from pipeline.turn import Intent
from pipeline.turn_state import TurnState
from pipeline.wiring import Station
from pipeline.writes import write


@dataclass(frozen=True)
class NoNodes:
    """Stands where the nodes' clients stand: a scripted turn talks to nobody."""

    finish: Any = None


class Script:
    """Plays events in order, waits at each gate until the test opens it, raises what stands as an error.

    Played to its end it stores an answered turn as the journey node does. `closed` is set when it is over, however.
    """

    def __init__(
        self, *steps: events.Event | asyncio.Event | Exception, ends: bool = True, intent: Intent | None = None
    ) -> None:
        self.steps = steps
        self.ends = ends
        self.intent = intent
        self.closed = asyncio.Event()
        self.waiting = asyncio.Event()
        self.plays = 0

    async def __call__(self, *, request: Any, clients: Any, state: TurnState) -> AsyncGenerator[events.Event, None]:
        self.plays += 1
        state.intent = self.intent
        text = ""
        try:
            for step in self.steps:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, asyncio.Event):
                    self.waiting.set()
                    await step.wait()
                    self.waiting.clear()
                    continue
                text += step.text if isinstance(step, events.AnswerDelta) else ""
                yield step
            if not self.ends:
                return
            record = TurnRecord(turn=request.turn, status="answered", answer=text, stop_reason="complete")
            view = await clients.finish(record)
            if view is not None:
                yield events.JourneyUpdated(view.stage, view.proposed_stage, view.reason)
                yield events.TurnDone("answered", {}, {}, ())
        finally:
            self.closed.set()


def deltas(*texts: str) -> tuple[events.AnswerDelta, ...]:
    """Pieces of an answer."""
    return tuple(events.AnswerDelta(text) for text in texts)


def joined(entries: Iterable[Entry]) -> str:
    """The text that a client has after these frames."""
    text = ""
    for entry in entries:
        if entry.replaces:
            text = entry.data["answer"]
        elif entry.type == events.AnswerDelta.type:
            text += entry.data["text"]
    return text


def accept(member: Member, question: str = "What is a second act?", *, conversation: Any = None) -> Turn:
    """A stored turn that nobody runs yet."""
    where = conversation or services.conversation_create(member=member)
    return services.turn_accept(member=member, conversation_id=where.pk, question=question).turn


async def reread(turn: Turn) -> Turn:
    """The turn as its row says now."""
    return await write(Turn.objects.select_related("conversation", "feedback").get, pk=turn.pk)


async def ended(turn: Turn) -> Turn:
    """The turn once its run is over."""
    while not (await reread(turn)).finished:  # noqa: ASYNC110 (the row is in a database)
        await asyncio.sleep(0.02)
    await until(lambda: runs._current is None or str(turn.pk) not in runs._current.live)
    return await reread(turn)


async def until(holds: Callable[[], object]) -> None:
    """Wait for something that no event tells of."""
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0.005)


def follower_of(turn: Turn, *, whole_conversation: bool = False) -> Follower:
    """A client of this turn, or of its conversation."""
    return Follower(conversation=str(turn.conversation_id), turn=None if whole_conversation else str(turn.pk))


async def followed(station: Station, turn: Turn, *, after: int = 0) -> list[Entry]:
    """Every frame that a client which has all up to `after` gets until the turn is over."""
    entries = []
    following = Following(station, follower_of(turn), starts={str(turn.pk): after})
    async for item in following.items():
        if isinstance(item, End):
            break
        if isinstance(item, Entry):
            entries.append(item)
    return entries


@asynccontextmanager
async def following(
    station: Station, follower: Follower, starts: dict[str, int] | None = None
) -> AsyncIterator[AsyncGenerator[Any, None]]:
    """A client's items, closed at the end."""
    items = Following(station, follower, starts=starts or {}).items()
    try:
        yield items
    finally:
        await items.aclose()


def conversation_of(member: Member) -> Conversation:
    """A new conversation."""
    return services.conversation_create(member=member)


@contextmanager
def cut_off(log: RunLog) -> Iterator[None]:
    """While this lasts the log talks to a server that is not there."""
    there, log._redis = log._redis, RunLog("redis://127.0.0.1:1/0", prefix="", timeout=0.2, keep_seconds=1)._redis
    try:
        yield
    finally:
        log._redis = there


async def answered(member: Member, play: Callable[[Script], Script], *pieces: str) -> Turn:
    """A turn that was answered in these pieces, one frame each."""
    steps: list[Any] = []
    for text in pieces:
        steps += [events.AnswerDelta(text), events.Status("response", "Writing the answer")]
    play(Script(*steps))
    turn = await write(accept, member)
    runs.start(turn)
    return await ended(turn)


async def under_way(member: Member, play: Callable[[Script], Script], *pieces: str) -> tuple[Turn, asyncio.Event]:
    """A turn that has said these pieces and waits for the gate."""
    gate = asyncio.Event()
    script = play(Script(*deltas(*pieces), events.Status("response", ""), gate, *deltas(" end")))
    turn = await write(accept, member)
    runs.start(turn)
    await script.waiting.wait()
    return turn, gate


async def logged(station: Station, turn: Turn) -> None:
    """Wait until the log holds all that a turn under way has said: a status is the last of it."""
    async with asyncio.timeout(30):
        while not (held := await station.log.read(str(turn.pk))) or held[-1].type != events.Status.type:
            pass


async def lose(station: Station, turn: Turn) -> None:
    """The server comes back empty."""
    await station.log._redis.delete(station.log._log_key(str(turn.pk)))


async def next_frame(items: Any) -> Entry:
    """The next item that is a frame."""
    while not isinstance(item := await anext(items), Entry):
        pass
    return item
