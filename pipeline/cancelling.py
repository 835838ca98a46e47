"""Ending tasks for certain."""

import asyncio
from typing import Any

INSIST_SECONDS = 0.2


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel these tasks and wait until they are over.

    They are cancelled again until they are: a client caught in a time-out of its own can swallow a cancellation (seen
    with redis-py in the middle of a publish).
    """
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=INSIST_SECONDS)
