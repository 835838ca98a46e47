"""How long each of several things took that ran side by side."""

import time
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Stopwatch:
    """Milliseconds by name."""

    def __init__(self) -> None:
        self.milliseconds: dict[str, float] = {}

    async def time(self, name: str, work: Awaitable[T]) -> T:
        """Await something and note how long that took, also when it failed."""
        began = time.perf_counter()
        try:
            return await work
        finally:
            self.milliseconds[name] = round((time.perf_counter() - began) * 1_000, 2)
