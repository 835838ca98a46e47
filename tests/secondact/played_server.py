"""`serve` in a process of its own, with turns that say a word and end when the process gets SIGUSR1.

Started by tests: python -m tests.secondact.played_server PORT. With PLAYED_COLD its clients open at SIGUSR2.
"""

import asyncio
import os
import signal
import sys
from unittest.mock import patch

import django


def main() -> int:
    """Serve until SIGTERM."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
    django.setup()

    from pipeline import events, wiring
    from secondact.serve import serve
    from tests.pipeline.stream_fakes import NoNodes, Script

    released, warm = asyncio.Event(), asyncio.Event()
    script = Script(events.AnswerDelta("A second "), released, events.AnswerDelta("act."))
    patch("pipeline.run_task.run_turn", script).start()
    opened = wiring.open_clients

    async def without_nodes() -> object:
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGUSR1, lambda *_: loop.call_soon_threadsafe(released.set))
        signal.signal(signal.SIGUSR2, lambda *_: loop.call_soon_threadsafe(warm.set))
        if "PLAYED_COLD" in os.environ:
            await warm.wait()
        return await opened(clients=NoNodes())  # type: ignore[arg-type]

    patch("pipeline.wiring.open_clients", without_nodes).start()
    return serve(host="127.0.0.1", port=int(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
