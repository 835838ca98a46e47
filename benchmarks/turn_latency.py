"""Whether a turn takes its critical path: `python -m benchmarks.turn_latency [--runs N --seed N --json]`.

The real runner and the real nodes, over channels and models that only take their time: 50 to 300 ms each, drawn anew
for every run. From the times drawn follows how long the turn must take at least; what it took beyond is the excess.
Exits with 1 when the excess is over 25 ms at the 95th percentile. Needs no server.

With `--provider` the models are asked over the wire: adapters, SDKs and real sockets, at a provider that takes the
times drawn. Then the first word may come at most 30 ms after the model's, the embedding must have been asked for
while the intent was, and the answer must be whole as soon as the model is done with it, however long the suggestions
take; else it exits with 1. `--waterfall FILE` draws the last of these turns.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import quantiles

from benchmarks.timed import QUESTION, Times, clients_taking, drawn
from benchmarks.timed_provider import Seen, timed_provider
from benchmarks.waterfall import draw
from pipeline.events import AnswerDelta
from pipeline.runner import run_turn
from pipeline.turn import TurnRequest

LIMIT_MS = 25.0
FIRST_WORD_LIMIT_MS = 30.0
_SLOW_SUGGESTIONS = 3.0


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


@dataclass(frozen=True, slots=True)
class WireRow:
    """One run over the wire, in milliseconds: after the model's first word, its last, and beyond the critical path."""

    critical_path: float
    measured: float
    excess: float
    first_word_after_model: float
    whole_after_model: float
    embedding_began: float
    intent_took: float


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


async def wire_rows_of(runs: int, seed: int) -> tuple[list[WireRow], Seen]:
    """The runs over the wire, and the last one in full. In every second the suggestions take three times as long."""
    source = random.Random(seed)
    rows = []
    async with timed_provider() as provider:
        seen = await provider.turn(drawn(source))
        for number in range(runs):
            times = drawn(source)
            if number % 2:
                times = replace(times, suggestions=times.suggestions * _SLOW_SUGGESTIONS)
            seen = await provider.turn(times)
            rows.append(_wire_row(times, seen))
    return rows, seen


def _wire_row(times: Times, seen: Seen) -> WireRow:
    intent, answer, embedding = (seen.call(node) for node in ("intent", "answer", "embeddings"))
    path, total = times.critical_path(), seen.ended - seen.began
    seconds = {
        "critical_path": path,
        "measured": total,
        "excess": total - path,
        "first_word_after_model": seen.first_word - answer.first_piece_at,
        "whole_after_model": seen.answer_done - answer.ended_at,
        "embedding_began": embedding.arrived - intent.arrived,
        "intent_took": intent.ended_at - intent.arrived,
    }
    return WireRow(**{name: round(value * 1000, 1) for name, value in seconds.items()})


def p50_p95(values: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    found = quantiles(values, n=100, method="inclusive")
    return round(found[49], 1), round(found[94], 1)


def main() -> int:
    """Print each run and the excess; 1 when it is too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--provider", action="store_true")
    parser.add_argument("--waterfall", type=Path)
    options = parser.parse_args()
    if options.provider:
        return _over_the_wire(options)
    rows = asyncio.run(rows_of(options.runs, options.seed))
    p50, p95 = p50_p95([row.excess for row in rows])
    _, word_p95 = p50_p95([row.first_word_excess for row in rows])
    if options.json:
        summary = {"p50": p50, "p95": p95, "first_word_p95": word_p95, "limit": LIMIT_MS}
        print(json.dumps({"runs": [asdict(row) for row in rows], "excess_ms": summary}))
    else:
        print("critical path   measured     excess   (ms)")
        for row in rows:
            print(f"{row.critical_path:13.1f} {row.measured:10.1f} {row.excess:10.1f}")
        print(f"excess p50 {p50:.1f} ms, p95 {p95:.1f} ms (limit {LIMIT_MS:.0f}); first word p95 {word_p95:.1f} ms")
    return 0 if p95 <= LIMIT_MS else 1


def _over_the_wire(options: argparse.Namespace) -> int:
    rows, last = asyncio.run(wire_rows_of(options.runs, options.seed))
    if options.waterfall:
        draw(last, options.waterfall)
    word = p50_p95([row.first_word_after_model for row in rows])
    whole = p50_p95([row.whole_after_model for row in rows])
    excess = p50_p95([row.excess for row in rows])
    overlapping = sum(row.embedding_began < row.intent_took for row in rows)
    fine = word[1] <= FIRST_WORD_LIMIT_MS and whole[1] <= FIRST_WORD_LIMIT_MS and overlapping == len(rows)
    if options.json:
        summary = {
            "first_word_after_model": word,
            "whole_after_model": whole,
            "excess": excess,
            "overlapping": [overlapping, len(rows)],
            "limit": FIRST_WORD_LIMIT_MS,
        }
        print(json.dumps({"runs": [asdict(row) for row in rows], "p50_p95_ms": summary}))
        return 0 if fine else 1
    print("critical path   measured     excess   first word   whole   (ms; the last two after the model's)")
    for row in rows:
        after = f"{row.first_word_after_model:12.1f} {row.whole_after_model:7.1f}"
        print(f"{row.critical_path:13.1f} {row.measured:10.1f} {row.excess:10.1f} {after}")
    print(f"first word after the model's: p50 {word[0]} ms, p95 {word[1]} ms (limit {FIRST_WORD_LIMIT_MS:.0f})")
    print(f"answer whole after the model's end: p50 {whole[0]} ms, p95 {whole[1]} ms, slow suggestions or not")
    print(f"beyond the critical path: p50 {excess[0]} ms, p95 {excess[1]} ms")
    print(f"embedding asked for while the intent was: {overlapping} of {len(rows)} turns")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
