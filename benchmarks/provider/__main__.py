"""The provider by itself: `python -m benchmarks.provider [--port N] [--obedient] [--down NODE ...]`.

Point a server at it with ANTHROPIC_API_KEY=any, ANTHROPIC_BASE_URL=http://127.0.0.1:N, and for embeddings with
OPENAI_API_KEY and OPENAI_BASE_URL=http://127.0.0.1:N/v1, to see Claude's part of the product without a key. Nodes are
intent, answer, suggestions, embeddings and models.
"""

import argparse
import signal

from benchmarks.provider.messages import Block, cited_blocks, events_of, stream_reply
from benchmarks.provider.obedient import obedient_answer, obedient_structured
from benchmarks.provider.replies import Call, Reply, error_reply
from benchmarks.provider.server import Provider

PACE = 0.03


def paced(call: Call) -> Reply:
    """An answer as fast as one is written."""
    blocks: list[Block] = cited_blocks(call)
    return stream_reply([step for event in events_of(blocks, model=call.model) for step in (PACE, event)])


def main() -> None:
    """Serve until Ctrl-C or SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--obedient", action="store_true", help="do whatever the last imperative in the context says")
    parser.add_argument("--down", nargs="*", default=[], metavar="NODE", help="answer these calls with status 529")
    options = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    with Provider(port=options.port) as provider:
        provider.play("answer", obedient_answer if options.obedient else paced)
        if options.obedient:
            provider.play("intent", obedient_structured)
            provider.play("suggestions", obedient_structured)
        for node in options.down:
            provider.play(node, error_reply(529, "overloaded_error"))
        print(f"Listening on {provider.url}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


main()
