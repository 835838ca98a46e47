"""Keeping a connection warm: a small call now and then, so that nobody's question has to open one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

EVERY_SECONDS = 30.0

logger = logging.getLogger(__name__)


class KeepWarm:
    """Calls `touch` every so many seconds from `open` to `close`, on the loop it was opened on."""

    def __init__(self, touch: Callable[[], Awaitable[None]], *, every: float = EVERY_SECONDS) -> None:
        self._touch = touch
        self._every = every
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin; the first call is one interval away."""
        self._task = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """End, and wait until it is over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await self._touch()
            except Exception as error:  # noqa: BLE001 (whatever fails, the next question will find out for itself)
                logger.info("A connection could not be kept warm: %s", type(error).__name__)
