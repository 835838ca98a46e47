"""The heartbeat beside all followers of a process.

Every few seconds it ends followers whose sign-in has ended, compares what followers have with the logs (the channel
layer delivers at most once), and ends turns that nobody runs any more. It asks for all followers at once, so that a
thousand idle ones cost what one costs.
"""

import asyncio
import hashlib
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.db.models import Case, DurationField, ExpressionWrapper, F, Q, When
from django.db.models.functions import Now

from journeys.models import Conversation, Turn
from pipeline.access import ended
from pipeline.cancelling import end
from pipeline.errors import LogUnavailable
from pipeline.follower import NOT_FOUND, SIGNED_OUT, Behind, Comment, Follower
from pipeline.hub import Hub
from pipeline.recovery import lease_seconds, take_over
from pipeline.run_log import RunLog
from pipeline.writes import write

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TurnNow:
    """How a followed turn stands in its row."""

    turn: str
    conversation: str
    last_seq: int
    finished_for: float | None
    """Seconds since its end; None while it lives."""
    silent_for: float
    """Seconds since its lease ran out; negative while somebody keeps it."""


class Watch:
    """The heartbeat of one event loop's followers."""

    def __init__(self, log: RunLog, hub: Hub) -> None:
        self._log = log
        self._hub = hub
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin to beat."""
        self._hub.on("signed_out", self._signed_out)
        self._hub.on("disabled", self._disabled)
        self._spawn(self._for_ever(self.check))
        self._spawn(self._for_ever(self._comment))

    async def close(self) -> None:
        """Beat no more."""
        await end(*self._tasks)

    async def check(self) -> float:
        """One beat; the seconds until the next."""
        pause = float(getattr(settings, "FOLLOW_CHECK_SECONDS", 5.0))
        followers = list(self._hub.followers())
        if not followers:
            return pause
        await self._end_the_signed_out(followers)
        await self._hub.join(*{follower.conversation for follower in followers})
        await self._end_the_orphaned(followers)
        turns = await write(_turns_now, followers)
        await self._tell_who_is_behind(followers, turns)
        living = [turn for turn in turns if turn.finished_for is None]
        for turn in living:
            if turn.silent_for > 0:
                await take_over(UUID(turn.turn), log=self._log, hub=self._hub)
        # A lease that runs out before the next beat is looked at when it does.
        return min([pause, *(0.1 - turn.silent_for for turn in living if turn.silent_for <= 0)])

    async def _end_the_signed_out(self, followers: Iterable[Follower]) -> None:
        viewers = {follower.viewer for follower in followers if follower.viewer}
        gone = await write(ended, viewers) if viewers else set()
        for follower in followers:
            if follower.viewer in gone:
                follower.end(SIGNED_OUT, at_once=True)

    async def _end_the_orphaned(self, followers: Iterable[Follower]) -> None:
        there = await write(_still_there, {follower.conversation for follower in followers})
        for follower in followers:
            if follower.conversation not in there:
                follower.end(NOT_FOUND)

    async def _tell_who_is_behind(self, followers: Iterable[Follower], turns: Iterable[TurnNow]) -> None:
        living = [turn.turn for turn in turns if turn.finished_for is None]
        try:
            last_seqs = await self._log.last_seqs(living)
        except LogUnavailable:
            last_seqs = {}
        by_conversation = defaultdict(list)
        for turn in turns:
            by_conversation[turn.conversation].append(turn)
        for follower in followers:
            for turn in by_conversation[follower.conversation]:
                if _behind(follower, turn, last_seqs.get(turn.turn, 0)):
                    follower.offer(Behind(turn.turn))

    async def _comment(self) -> float:
        for follower in self._hub.followers():
            follower.offer(Comment())
        return float(getattr(settings, "STREAM_COMMENT_SECONDS", 15.0))

    def _signed_out(self, message: Mapping[str, Any]) -> None:
        for follower in self._hub.followers():
            if follower.viewer and session_mark(follower.viewer.session) == message["session"]:
                follower.end(SIGNED_OUT, at_once=True)

    def _disabled(self, message: Mapping[str, Any]) -> None:
        for follower in self._hub.followers():
            if follower.viewer and follower.viewer.member == message["member"]:
                follower.end(SIGNED_OUT, at_once=True)

    async def _for_ever(self, beat: Callable[[], Coroutine[Any, Any, float]]) -> None:
        while True:
            try:
                pause = await beat()
            except (DatabaseError, InterfaceError):
                logger.warning("The heartbeat cannot reach the database.", exc_info=True)
                pause = 1.0
            except Exception:
                logger.exception("A heartbeat failed.")
                pause = 1.0
            await asyncio.sleep(pause)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def session_mark(session: str) -> str:
    """What stands for a session in messages between processes: its key signs in, so it is never sent."""
    return hashlib.sha256(session.encode()).hexdigest()


def _behind(follower: Follower, turn: TurnNow, last_in_log: int) -> bool:
    if follower.turn not in (None, turn.turn):
        return False
    have = follower.have.get(turn.turn)
    if turn.finished_for is None:
        # Not equal, not just greater: what a client says it has may lie beyond all that was ever said.
        return last_in_log != (have or 0)
    if have is None and turn.finished_for > follower.age:
        return False  # it ended before this follower came: history, which comes from REST
    return turn.last_seq > (have or 0)


def _still_there(conversations: set[str]) -> set[str]:
    return {str(found) for found in Conversation.objects.filter(pk__in=conversations).values_list("pk", flat=True)}


def _turns_now(followers: Iterable[Follower]) -> list[TurnNow]:
    """The followed turns that live or ended lately."""
    pause = float(getattr(settings, "FOLLOW_CHECK_SECONDS", 5.0))
    conversations = {follower.conversation for follower in followers}
    named = {follower.turn for follower in followers if follower.turn}
    lately = Q(finished_at__gt=Now() - timedelta(seconds=6 * pause))
    waited = F("accepted_at") + timedelta(seconds=lease_seconds())
    kept_until = Case(When(status=Turn.Status.ACCEPTED, then=waited), default="lease_until")
    now = Q(conversation__in=conversations) & (Q(status__in=Turn.UNFINISHED) | lately)
    rows = (
        Turn.objects.filter(now | Q(pk__in=named))
        .annotate(
            finished_for=ExpressionWrapper(Now() - F("finished_at"), DurationField()),
            silent_for=ExpressionWrapper(Now() - kept_until, DurationField()),
        )
        .values_list("id", "conversation_id", "last_seq", "finished_for", "silent_for")
    )
    return [
        TurnNow(
            str(turn),
            str(conversation),
            last_seq,
            finished.total_seconds() if finished is not None else None,
            silent.total_seconds() if silent is not None else 0.0,
        )
        for turn, conversation, last_seq, finished, silent in rows
    ]
