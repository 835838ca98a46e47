"""What a run says: events go into the turn's log, and what they add up to is known at any moment.

The first piece of the answer goes out at once, later ones in frames of about 80 ms. A piece counts as said only when
its frame is: a snapshot and a stored ending hold exactly what the frames held.
"""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.conf import settings

from journeys.services import storable_text
from pipeline import events
from pipeline.fold import Fold
from pipeline.log_writer import LogWriter, TurnLog


class AnswerFull(Exception):
    """The answer has reached the size an answer may have."""


class Speech:
    """The voice of one run. `body` is the turn as clients see it, without what was said since."""

    def __init__(self, writer: LogWriter, body: dict[str, Any], *, owner: str, fenced: Callable[[], None]) -> None:
        self.body = body
        self.fold = Fold()
        self.log = TurnLog(
            writer,
            turn=body["id"],
            conversation=body["conversation"],
            owner=owner,
            snapshot=self._snapshot,
            fenced=fenced,
        )
        self._frame_seconds = float(getattr(settings, "DELTA_SECONDS", 0.08))
        self._pieces: list[str] = []
        self._said_at = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def say(self, event: events.Event) -> None:
        """Say this event after all that was said before. Raises AnswerFull when no more text fits in."""
        if isinstance(event, events.AnswerDelta):
            self._say_piece(event.text)
        else:
            self.flush()
            self._emit(event)

    def flush(self) -> None:
        """Say the pieces of the answer that still wait."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._pieces:
            return
        text, self._pieces = "".join(self._pieces), []
        fits = self.fold.room_for(text)
        if fits:
            self._said_at = asyncio.get_running_loop().time()
            self._emit(events.AnswerDelta(fits))
        if fits != text:
            raise AnswerFull

    def close(self) -> None:
        """Say nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        self._pieces = []
        self.log.close()

    def _say_piece(self, text: str) -> None:
        self._pieces.append(storable_text(text))  # so that what is said equals what is stored
        loop = asyncio.get_running_loop()
        wait = self._said_at + self._frame_seconds - loop.time()
        if wait <= 0:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(wait, self._flush_on_time)

    def _flush_on_time(self) -> None:
        self._timer = None
        waiting = "".join(self._pieces)
        if self.fold.room_for(waiting) == waiting:
            self.flush()  # what does not fit waits for the next call of `say`, which can raise

    def _emit(self, event: events.Event) -> None:
        self.fold.take(event.type, asdict(event))
        self.log.append(event)

    def _snapshot(self) -> dict[str, Any]:
        return {**self.fold.over(self.body), "last_seq": self.log.next_seq}
