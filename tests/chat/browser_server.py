"""`serve` in a process of its own whose turns are played: what they say depends on the question.

Started by tests: python -m tests.chat.browser_server PORT. Slow turns wait in mid-answer for SIGUSR1.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import Any
from unittest.mock import patch

import django

from tests.chat.played_turns import Played, played


def main() -> int:
    """Serve until SIGTERM."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
    django.setup()

    from django.conf import settings

    from pipeline import wiring
    from secondact.serve import serve
    from tests.pipeline.stream_fakes import NoNodes

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    released = asyncio.Event()
    patch("pipeline.run_task.run_turn", _Player(released)).start()
    opened = wiring.open_clients

    async def without_nodes() -> object:
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGUSR1, lambda *_: loop.call_soon_threadsafe(_pulse, released))
        return await opened(clients=NoNodes())  # type: ignore[arg-type]

    patch("pipeline.wiring.open_clients", without_nodes).start()
    return serve(host="127.0.0.1", port=int(sys.argv[1]))


def _pulse(released: asyncio.Event) -> None:
    """Let go whoever waits now, and nobody who comes later."""
    released.set()
    released.clear()


class _Player:
    """Answers as a run of the nodes does, with words of its own."""

    def __init__(self, released: asyncio.Event) -> None:
        self.released = released

    async def __call__(self, *, request: Any, clients: Any, state: Any) -> AsyncGenerator[Any, None]:
        from pipeline import events

        turn = played(request.question)
        yield events.Status("intent", "Understanding your question")
        if turn.options and not request.answer_anyway:
            yield events.ClarificationAsked("Which do you mean?", turn.options)
            return
        yield events.SourcesFound(turn.sources)
        async for event in self._answer(turn):
            yield event
        yield events.AnswerDone(turn.stop_reason, turn.used)
        yield events.SuggestionsReady(turn.suggestions)
        view = await clients.finish(_record(request.turn, turn))
        if view is not None:
            yield events.JourneyUpdated(view.stage, view.proposed_stage, view.reason)
            yield events.TurnDone(turn.status, {}, {}, turn.degraded)

    async def _answer(self, turn: Played) -> AsyncGenerator[Any, None]:
        from pipeline import events
        from pipeline.errors import StreamBroken

        for part in turn.parts:
            yield events.AnswerDelta(part)
            if part is turn.parts[0] and turn.waits:
                await self.released.wait()
            if turn.breaks:
                raise StreamBroken
        for citation in turn.citations:
            yield events.AnswerCitation(**citation)


def _record(turn: str, told: Played) -> Any:
    from pipeline.record import TurnRecord

    return TurnRecord(
        turn=turn,
        status=told.status,
        intent="actionable_advice",
        answer=told.answer,
        stop_reason=told.stop_reason,
        sources=told.sources,
        citations=told.citations,
        sources_used=told.used,
        suggestions=told.suggestions,
        degraded=told.degraded,
    )


if __name__ == "__main__":
    sys.exit(main())
