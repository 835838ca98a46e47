"""One run: a turn answered to its end, whoever follows or leaves meanwhile.

Three tasks: the work itself, the lease in the database, the beat in the log. Every ending is stored before its event is
said. Only a stop, a drain or the loss of the lease end the work early; after a loss nothing more is written.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError

from journeys import services
from journeys.services import FinishedTurn
from pipeline import events
from pipeline.asking import Asked, begin
from pipeline.cancelling import end
from pipeline.endings import CLARIFIED, INTERNAL, INTERRUPTED, STOPPED, Ending, ending_of, store_ending
from pipeline.errors import LogUnavailable
from pipeline.record import JourneyView, TurnRecord
from pipeline.recovery import lease_seconds
from pipeline.run_log import unbroken
from pipeline.runner import run_turn
from pipeline.speech import AnswerFull, Speech
from pipeline.turn_state import TurnState
from pipeline.wiring import Station
from pipeline.writes import write, write_ending

BEGIN_TRIES = 5
RETRY_SECONDS = 0.5

logger = logging.getLogger(__name__)


async def begun(station: Station, turn_id: UUID) -> "Run | None":
    """The run of this turn, begun under a lease; None when the turn is not accepted any more.

    A database that does not answer is asked again a few times; then the turn waits for the sweeper.
    """
    owner = uuid4()
    for _ in range(BEGIN_TRIES):
        try:
            asked = await write(begin, turn_id=turn_id, owner=owner, lease_seconds=lease_seconds())
        except (DatabaseError, InterfaceError):
            logger.warning("Turn %s cannot be begun yet.", turn_id, exc_info=True, extra={"turn": str(turn_id)})
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return Run(station, asked, owner) if asked else None
    return None


class Run:
    """A turn that is being answered by this process."""

    def __init__(self, station: Station, asked: Asked, owner: UUID) -> None:
        self.turn = UUID(asked.request.turn)
        self._extra = {"turn": asked.request.turn}
        self._station = station
        self._asked = asked
        self._owner = owner
        self._speech = Speech(station.writer, asked.body, owner=str(owner), fenced=self._lose)
        self._state = TurnState(asked.request)
        self._work: asyncio.Task[None]
        self._limit: asyncio.Timeout | None = None
        self._why: Ending | None = STOPPED if asked.stop_requested else None
        self._ending = False
        self._lost = False
        self._clarified = False
        self._breaking: asyncio.Task[None] | None = None
        self._last_seq: int | None = None

    async def go(self) -> None:
        """Answer the turn and see it ended."""
        request = self._asked.request
        self._speech.say(events.TurnStarted(request.conversation, request.question))
        self._work = asyncio.create_task(self._answer())
        if self._why:
            self._break_off()
        keepers = [asyncio.create_task(self._keep(step)) for step in (self._beat, self._renew)]
        try:
            await asyncio.wait([self._work])
            await self._end_if_open()
            await self._settle()
        finally:
            await end(self._work, *keepers)

    def stop(self) -> None:
        """End it as stopped, with the text so far."""
        self._interrupt(STOPPED)

    def interrupt(self) -> None:
        """End it as interrupted, with the text so far: the server goes down."""
        self._interrupt(INTERRUPTED)

    async def repair(self) -> None:
        """Write a snapshot if the log does not hold all that was accepted: a follower could not read it."""
        accepted = self._speech.log.accepted_seq
        held = unbroken(await self._station.log.read(str(self.turn)))
        if accepted and not (held and held[-1].seq >= accepted):
            self._speech.log.rewrite()

    def _interrupt(self, why: Ending) -> None:
        # An ending that is being stored goes through: then the stop came too late.
        if not self._ending and self._why is None:
            self._why = why
            self._break_off()

    def _lose(self) -> None:
        self._lost = True
        self._speech.close()
        self._break_off()

    def _break_off(self) -> None:
        self._work.cancel()
        self._breaking = asyncio.create_task(end(self._work))

    async def _answer(self) -> None:
        clients = replace(self._station.clients, finish=self._finish)
        async with asyncio.timeout(float(getattr(settings, "RUN_LIMIT_SECONDS", 300.0))) as self._limit:
            async with aclosing(
                run_turn(request=self._asked.request, clients=clients, state=self._state)
            ) as happenings:
                async for event in happenings:
                    self._clarified = self._clarified or isinstance(event, events.ClarificationAsked)
                    self._speech.say(event)

    async def _finish(self, record: TurnRecord) -> JourneyView | None:
        """Store the ending that the journey node brings."""
        if self._why is not None or self._lost:
            raise asyncio.CancelledError  # somewhere on the way the cancellation was swallowed
        self._speech.flush()
        self._ending = True
        if self._limit:
            self._limit.reschedule(None)
        fields = asdict(record)
        del fields["turn"], fields["status"]
        try:
            finished = await self._store(record.status, fields, events_to_come=2)
        except Exception:
            self._ending = False
            raise
        return JourneyView(finished.stage, finished.proposed_stage, finished.reason) if finished else None

    async def _end_if_open(self) -> None:
        if self._lost or self._last_seq is not None:
            return
        ending = self._verdict()
        self._ending = True
        with suppress(AnswerFull):
            self._speech.flush()
        fields = {**self._state.unsaid(), **self._speech.fold.stored(), **ending.fields()}
        if await self._store(ending.status, fields, events_to_come=1):
            self._speech.say(ending.event(fields))

    def _verdict(self) -> Ending:
        if self._why is not None:
            return self._why
        error = None if self._work.cancelled() else self._work.exception()
        if error is None and not self._work.cancelled():
            return CLARIFIED if self._clarified else INTERNAL
        ending = ending_of(error)
        level = logging.ERROR if ending is INTERNAL else logging.WARNING
        logger.log(level, "Turn %s ends as %s.", self.turn, ending.status, exc_info=error, extra=self._extra)
        return ending

    async def _store(self, status: str, fields: Mapping[str, Any], *, events_to_come: int) -> FinishedTurn | None:
        """Store an ending, however long the database stays away. None when the turn is not ours any more."""
        last_seq = self._speech.log.last_seq + events_to_come
        tried = False
        while True:
            try:
                stored = await write_ending(store_ending, self.turn, self._owner, status, fields, last_seq, tried=tried)
                break
            except (OperationalError, InterfaceError):
                logger.warning(
                    "The ending of turn %s cannot be stored yet.", self.turn, exc_info=True, extra=self._extra
                )
                tried = True
                await asyncio.sleep(RETRY_SECONDS)
        if stored is None:
            self._lost = True
            self._speech.close()
            return None
        finished, self._speech.body = stored
        self._last_seq = last_seq
        return finished

    async def _settle(self) -> None:
        """See the last events into the log, within the limit that a run waits for it."""
        if self._lost:
            return
        await self._speech.log.settled(self._station.log_timeout)
        if self._speech.log.last_seq != self._last_seq:
            with suppress(DatabaseError, InterfaceError):
                await write(services.turn_last_seq, turn_id=self.turn, seq=self._speech.log.last_seq)
        with suppress(LogUnavailable):
            await self._station.log.rest(str(self.turn))
        logger.info("Turn %s ended as %s.", self.turn, self._speech.body["status"], extra=self._extra)

    async def _keep(self, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await step()
            await asyncio.sleep(float(getattr(settings, "LEASE_RENEW_SECONDS", 3.0)))

    async def _beat(self) -> None:
        accepted = self._speech.log.accepted_seq  # before the question, not after: the first append may be on its way
        with suppress(LogUnavailable):
            there = await self._station.log.beat(str(self.turn), writer=str(self._owner), seconds=lease_seconds())
            if accepted and not there:
                self._speech.log.rewrite()

    async def _renew(self) -> None:
        try:
            lease = await write(
                services.turn_renew, turn_id=self.turn, owner=self._owner, lease_seconds=lease_seconds()
            )
        except (DatabaseError, InterfaceError):
            logger.warning(
                "The lease of turn %s cannot be renewed; it still beats.", self.turn, exc_info=True, extra=self._extra
            )
            return
        if self._ending:
            return
        if not lease.held:
            logger.warning("Turn %s is not ours any more.", self.turn, extra=self._extra)
            self._lose()
        elif lease.stop_requested or not lease.member_active:
            self.stop()
