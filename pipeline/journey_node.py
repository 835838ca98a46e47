"""The journey node: the answer and its suggestions are stored, and the journey says what stage it proposes."""

from collections.abc import Awaitable, Callable

from pipeline.record import JourneyView, TurnRecord


async def finish_journey(
    *, record: TurnRecord, finish: Callable[[TurnRecord], Awaitable[JourneyView | None]]
) -> JourneyView | None:
    """Store the ending of an answered turn and return where the member stands.

    None when the turn is no longer this run's (someone else has ended it): then nothing was stored.
    """
    return await finish(record)
