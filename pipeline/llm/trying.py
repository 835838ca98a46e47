"""Asking a provider again: how long, how often, and when not to.

An adapter turns what its SDK raises into one of three failures of an attempt; `tried` decides what follows. Nothing is
ever tried again once text was shown: an attempt is over when its first word is there.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TypeVar

from corpus.breaker import Breaker
from pipeline.errors import ModelUnavailable
from pipeline.llm.model_names import ModelNames

logger = logging.getLogger(__name__)

_T = TypeVar("_T")

LONGEST_WAIT = 5.0
"""A provider that asks for a longer pause, in seconds, is not waited for: another answers instead."""
_LONGEST_LEAVE = 60.0
"""For so long a provider that asks for more is left alone: it may have asked for a day by mistake."""
_FIRST_PAUSE = 0.25


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take, in seconds, and how often it is tried."""

    connect: float
    attempt: float
    """Until the reply, or the first word of a stream, of one try."""
    total: float
    """The same over all tries, pauses included."""
    tries: int


class AttemptFailed(Exception):
    """The provider did not answer this attempt. Another may succeed."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class NameUnknown(AttemptFailed):
    """The provider has no model of this name."""


class NoUse(AttemptFailed):
    """Asking again would end the same. `blames` says whether the provider, not this one request, is at fault."""

    def __init__(self, reason: str, *, blames: bool = False) -> None:
        super().__init__(reason)
        self.blames = blames


async def tried(attempt: Callable[[str], Awaitable[_T]], *, names: ModelNames, breaker: Breaker, limits: Limits) -> _T:
    """What the attempt brings with the first model name that exists. Raises ModelUnavailable.

    An open breaker is not asked past; a provider that fails counts towards it once a call, not once a try.
    """
    if not breaker.admits():
        raise ModelUnavailable("The provider has failed a moment ago and is left alone.")
    try:
        async with asyncio.timeout(limits.total):
            found = await _until_it_answers(attempt, names, limits)
    except NoUse as error:
        (breaker.failed if error.blames else breaker.succeeded)()
        raise ModelUnavailable(str(error)) from error
    except (AttemptFailed, TimeoutError) as error:
        breaker.failed()
        if isinstance(error, AttemptFailed) and (error.retry_after or 0.0) > LONGEST_WAIT:
            breaker.open_for(min(error.retry_after or 0.0, _LONGEST_LEAVE))
        logger.warning("A model call failed: %s", str(error) or f"no answer within {limits.total:g} s")
        raise ModelUnavailable from error
    breaker.succeeded()
    return found


async def _until_it_answers(attempt: Callable[[str], Awaitable[_T]], names: ModelNames, limits: Limits) -> _T:
    loop = asyncio.get_running_loop()
    end = loop.time() + limits.total
    failures = 0
    while True:
        name = names.current
        try:
            return await _one(attempt, name, limits)
        except NameUnknown as error:
            if not names.forget(name):
                raise NoUse("None of the model names is known to the provider.", blames=True) from error
        except NoUse:
            raise
        except AttemptFailed as error:
            failures += 1
            pause = pause_after(failures, error.retry_after)
            if failures >= limits.tries or pause is None or loop.time() + pause >= end:
                raise
            logger.info("A model call is tried again in %.2f s: %s", pause, error)
            await asyncio.sleep(pause)


async def _one(attempt: Callable[[str], Awaitable[_T]], name: str, limits: Limits) -> _T:
    try:
        async with asyncio.timeout(limits.attempt):
            return await attempt(name)
    except TimeoutError as error:
        raise AttemptFailed(f"no answer within {limits.attempt:g} s") from error


def pause_after(failures: int, retry_after: float | None) -> float | None:
    """Seconds to wait before the next try: what the provider asks for, else a growing pause; None is too long."""
    if retry_after is not None:
        return retry_after if retry_after <= LONGEST_WAIT else None
    return _FIRST_PAUSE * 2.0 ** (failures - 1) * random.uniform(1.0, 1.5)  # noqa: S311 (spreads retries, no secret)


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """The pause in seconds that a reply asks for in milliseconds, seconds or as a date; None without a sane one."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    moment = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
