"""`serve` in a process of its own whose turns are played: what they say depends on the question.

Started by tests: python -m tests.chat.browser_server PORT. "slow" questions wait in mid-answer for SIGUSR1.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import Any
from unittest.mock import patch

import django

DOCUMENT = "5e0c8a1e-0000-4000-8000-000000000001"
CHUNK = "5e0c8a1e-0000-4000-8000-000000000002"
QUOTE = "Every obstacle is an opportunity."
XSS = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "[a](javascript:alert(1))",
    "<svg onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "![x](x onerror=alert(1))",
    '"><b onmouseover=alert(1)>',
)
PARTS = ("Begin with **what you know.** ", "Then try it 😀 small.\n\n", "- one\n- two\n")


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

        question = request.question
        yield events.Status("intent", "Understanding your question")
        if question.startswith("unclear") and not request.answer_anyway:
            yield events.ClarificationAsked("Which do you mean?", ("The job", "The plan"))
            return
        hostile = question in XSS
        source = _source(title=question if hostile else "Disrupt You")
        yield events.SourcesFound((source, {**source, "number": 2, "title": "Beside", "authority": "supporting"}))
        answer = ""
        for part in (question, "\n\n", *PARTS) if hostile else PARTS:
            answer += part
            yield events.AnswerDelta(part)
            if question.startswith("slow") and part is PARTS[0]:
                await self.released.wait()
        citation = {"source": 1, "quote": QUOTE, "start": 0, "end": answer.index("Then") - 1}
        yield events.AnswerCitation(**citation)  # type: ignore[arg-type]
        yield events.AnswerDone("complete", (1,))
        suggestion = {"text": question if hostile else "What comes next?", "reason": "It follows."}
        yield events.SuggestionsReady((suggestion,))
        view = await clients.finish(_record(request.turn, answer, source, citation, suggestion))
        if view is not None:
            yield events.JourneyUpdated(view.stage, view.proposed_stage, view.reason)
            yield events.TurnDone("answered", {}, {}, ())


def _source(*, title: str) -> dict[str, Any]:
    return {
        "number": 1,
        "document": DOCUMENT,
        "chunk": CHUNK,
        "title": title,
        "authority": "primary",
        "content_type": "book_chapter",
        "locator": {"chapter": "3"},
        "excerpt": QUOTE,
        "link": "",
    }


def _record(turn: str, answer: str, source: Any, citation: Any, suggestion: Any) -> Any:
    from pipeline.record import TurnRecord

    return TurnRecord(
        turn=turn,
        status="answered",
        answer=answer,
        stop_reason="complete",
        sources=(source,),
        citations=(citation,),
        sources_used=(1,),
        suggestions=(suggestion,),
    )


if __name__ == "__main__":
    sys.exit(main())
