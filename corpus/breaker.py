"""A circuit breaker: what has just failed is left alone for a while, then tried once. Pure; the clock is passed in.

Two ways to use it. Where a call may serve as the probe, ask `admits()` before each call. Where nobody who waits may pay
for a probe, go by `is_open` and let a task of its own ask `admits()` and probe. Both then say how
the call went: `succeeded()` or `failed()`.
"""

from collections.abc import Callable
from threading import Lock

Clock = Callable[[], float]
"""Seconds that only ever grow: time.monotonic, or a test's own."""


class Breaker:
    """Closed while all is well. Open after `threshold` failures in a row, until a success is reported.

    While open, one probe is admitted after `pause` seconds; each that fails doubles the pause, up to `longest_pause`. A
    probe that reports nothing, its task cancelled, say, counts for nothing: the next is admitted after another pause.
    May be shared by threads.
    """

    def __init__(self, *, clock: Clock, threshold: int = 1, pause: float = 1.0, longest_pause: float = 30.0) -> None:
        self._clock = clock
        self._threshold = threshold
        self._first_pause = pause
        self._longest_pause = longest_pause
        self._lock = Lock()
        self._failures = 0
        self._pause = pause
        self._next_probe = 0.0
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether it is known to fail."""
        return self._failures >= self._threshold

    @property
    def seconds_to_probe(self) -> float:
        """How long until `admits` lets a call through; 0 when it does now."""
        return max(0.0, self._next_probe - self._clock()) if self.is_open else 0.0

    def admits(self) -> bool:
        """Whether a call may be made now. While open, True is said to one caller a pause: its call is the probe."""
        with self._lock:
            if not self.is_open:
                return True
            if self._clock() < self._next_probe:
                return False
            self._probing = True
            self._next_probe = self._clock() + self._pause
            return True

    def succeeded(self) -> None:
        """A call was answered well: close."""
        with self._lock:
            self._failures = 0
            self._pause = self._first_pause
            self._probing = False

    def failed(self) -> None:
        """A call failed, or took longer than it may. Calls made before it opened may still fail: they add no pause."""
        with self._lock:
            was_open = self.is_open
            self._failures += 1
            if self._probing:
                self._probing = False
                self._pause = min(self._pause * 2, self._longest_pause)
            elif was_open:
                return
            self._next_probe = self._clock() + self._pause

    def open_for(self, seconds: float) -> None:
        """Open at once and admit no probe for so long: the other side said when to come back."""
        with self._lock:
            self._failures = max(self._failures, self._threshold)
            self._probing = False
            self._next_probe = max(self._next_probe, self._clock() + seconds)
