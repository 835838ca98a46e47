"""What the workers do for turns."""

import asyncio
from uuid import UUID

from celery import shared_task

from journeys.services import turns_expired
from pipeline.recovery import lease_seconds, take_over
from pipeline.wiring import streams


@shared_task  # type: ignore[untyped-decorator]  # celery is untyped
def sweep_turns() -> int:
    """End the turns that nobody runs any more; how many. Runs by beat; running it twice at once does no harm."""
    abandoned = turns_expired(lease_seconds=lease_seconds())
    return asyncio.run(_end(abandoned)) if abandoned else 0


async def _end(turns: list[UUID]) -> int:
    async with streams() as opened:
        return sum([await take_over(turn, log=opened.log, hub=opened.hub) for turn in turns])
