import pytest

from pipeline.stopwatch import Stopwatch


async def test_time_is_noted_also_when_it_failed() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> None:
        raise LookupError

    watch = Stopwatch()
    assert await watch.time("answer", answer()) == 7
    with pytest.raises(LookupError):
        await watch.time("fail", fail())
    assert set(watch.milliseconds) == {"answer", "fail"}
    assert all(value >= 0 for value in watch.milliseconds.values())
