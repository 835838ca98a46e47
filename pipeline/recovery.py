"""Ending a turn that nobody runs any more: its process died, or it was never begun."""

import logging
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings

from journeys import services
from journeys.models import Turn
from pipeline.endings import INTERRUPTED, STOPPED, Ending, store_ending
from pipeline.errors import LogUnavailable
from pipeline.fold import Fold
from pipeline.hub import Hub
from pipeline.run_log import Batch, Entry, Outcome, RunLog, entry_of, unbroken
from pipeline.writes import write, write_ending

logger = logging.getLogger(__name__)


def lease_seconds() -> float:
    """How long a run may be silent before another process ends its turn."""
    return float(getattr(settings, "LEASE_SECONDS", 10.0))


async def take_over(turn_id: UUID, *, log: RunLog, hub: Hub) -> bool:
    """End this turn with what its log holds, if lease and beat are both silent; whether it was ended here."""
    if await _beats(log, str(turn_id)):
        return False
    owner = uuid4()
    turn = await write(services.turn_take_over, turn_id=turn_id, owner=owner, lease_seconds=lease_seconds())
    if turn is None:
        return False
    entries = await _read(log, str(turn_id))
    stored = await write_ending(_store, turn, owner, entries)
    if stored is None:
        return False
    logger.warning(
        "Turn %s was interrupted and is ended as %s.", turn.id, stored["status"], extra={"turn": str(turn.id)}
    )
    if entries:
        await _say(turn, owner, entries[-1].seq + 1, log=log, hub=hub)
    return True


def _store(turn: Turn, owner: UUID, entries: list[Entry]) -> dict[str, Any] | None:
    fold = Fold()
    for entry in entries:
        fold.take(entry.type, entry.data)
    ending = _ending_of(turn)
    last_seq = (entries[-1].seq if entries else turn.last_seq) + 1
    fields = {**fold.stored(), **ending.fields()}
    stored = store_ending(turn.id, owner, ending.status, fields, last_seq, tried=False)
    return stored[1] if stored else None


def _ending_of(turn: Turn) -> Ending:
    """A turn whose stop was asked for ends as the member wished."""
    return STOPPED if turn.stop_requested_at else INTERRUPTED


async def _say(turn: Turn, owner: UUID, seq: int, *, log: RunLog, hub: Hub) -> None:
    entry = entry_of(_ending_of(turn).event({}), turn=str(turn.id), seq=seq)
    try:
        (outcome,) = await log.append([Batch(entry.turn, str(owner), (entry,))])
    except LogUnavailable:
        return  # followers find the ending in the row
    if outcome is Outcome.ACCEPTED:
        hub.accepted(str(turn.conversation_id), (entry,))


async def _beats(log: RunLog, turn: str) -> bool:
    try:
        return await log.beating(turn)
    except LogUnavailable:
        return False


async def _read(log: RunLog, turn: str) -> list[Entry]:
    try:
        return unbroken(await log.read(turn)) or []
    except LogUnavailable:
        return []
