"""Whether a turn takes its critical path: `python -m benchmarks.turn_latency [--runs N --seed N --json]`.

The real runner and the real nodes, over channels and models that only take their time: 50 to 300 ms each, drawn anew
for every run. From the times drawn follows how long the turn must take at least; what it took beyond is the excess.
Exits with 1 when the excess is over 25 ms at the 95th percentile. Needs no server.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from dataclasses import asdict, dataclass
from statistics import quantiles

from benchmarks.timed import QUESTION, Times, clients_taking, drawn
from pipeline.events import AnswerDelta
from pipeline.runner import run_turn
from pipeline.turn import TurnRequest

LIMIT_MS = 25.0


async def measured(times: Times) -> tuple[float, float]:
    """Seconds to the first word and to the end of one turn."""
    request = TurnRequest(turn="turn", conversation="conversation", number=1, question=QUESTION)
    clients = clients_taking(times)
    first_word = 0.0
    began = time.perf_counter()
    async for event in run_turn(request=request, clients=clients):
        if isinstance(event, AnswerDelta) and not first_word:
            first_word = time.perf_counter() - began
    return first_word, time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Row:
    """One run, in milliseconds."""

    critical_path: float
    measured: float
    excess: float
    first_word_excess: float


async def rows_of(runs: int, seed: int) -> list[Row]:
    """The runs, one after the other; the first, which only warms up, is left out."""
    source = random.Random(seed)
    await measured(drawn(source))
    rows = []
    for _ in range(runs):
        times = drawn(source)
        first_word, total = await measured(times)
        path = times.critical_path()
        rows.append(
            Row(
                critical_path=round(path * 1000, 1),
                measured=round(total * 1000, 1),
                excess=round((total - path) * 1000, 1),
                first_word_excess=round((first_word - times.first_word_at()) * 1000, 1),
            )
        )
    return rows


def main() -> int:
    """Print each run and the excess; 1 when it is too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(rows_of(options.runs, options.seed))
    excess = [row.excess for row in rows]
    p50, p95 = (quantiles(excess, n=100, method="inclusive")[at] for at in (49, 94))
    word_p95 = quantiles([row.first_word_excess for row in rows], n=100, method="inclusive")[94]
    if options.json:
        summary = {"p50": round(p50, 1), "p95": round(p95, 1), "first_word_p95": round(word_p95, 1), "limit": LIMIT_MS}
        print(json.dumps({"runs": [asdict(row) for row in rows], "excess_ms": summary}))
    else:
        print("critical path   measured     excess   (ms)")
        for row in rows:
            print(f"{row.critical_path:13.1f} {row.measured:10.1f} {row.excess:10.1f}")
        print(f"excess p50 {p50:.1f} ms, p95 {p95:.1f} ms (limit {LIMIT_MS:.0f}); first word p95 {word_p95:.1f} ms")
    return 0 if p95 <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
