"""Keeping a connection warm."""

import asyncio

from corpus.keep_warm import KeepWarm


async def test_it_touches_again_and_again_and_survives_failures_until_it_is_closed() -> None:
    touched = 0
    enough = asyncio.Event()

    async def touch() -> None:
        nonlocal touched
        touched += 1
        if touched == 3:
            enough.set()
        raise ConnectionError

    warmth = KeepWarm(touch, every=0.001)
    warmth.open()
    async with asyncio.timeout(10):
        await enough.wait()
    await warmth.close()

    seen = touched
    await asyncio.sleep(0.01)
    assert touched == seen


async def test_what_was_never_opened_can_be_closed() -> None:
    async def touch() -> None:
        raise AssertionError

    await KeepWarm(touch).close()
