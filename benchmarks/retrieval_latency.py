"""How long retrieval takes: `python -m benchmarks.retrieval_latency --chunks 10000,100000 [--peers --json ...]`.

The question's vector is given. For each question every one of our ways is asked in turn, so that what else the machine
does hits all alike: each channel, one hybrid query, the whole node (both phases and the graph), and one statement
written by hand that does both phases' four arms. `cold` is the first round on new connections, `warm` the second; then
eight clients at once. Peers follow on the same server, one client and eight.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import server
from benchmarks.big_library import Sources, items_of, sources_of
from benchmarks.datasets import FOLDER, NAMES
from benchmarks.filling import SPACE, fill
from benchmarks.our_search import OurSearch
from benchmarks.peer_runs import Asked, run_peers
from benchmarks.statement import one_statement
from corpus.embeddings import QueryVector
from corpus.models import EmbeddingSpace
from corpus.pool import RetrievalPool
from pipeline.intents import INTENT_TABLE
from pipeline.phases import plan_of
from pipeline.turn import IntentKind

CLIENTS = 8
DEPTH, LIMIT = 48, 12
"""Candidates of an arm, for the peers, and the length of the list."""
STATEMENT, NODE = "one statement by hand", "node"

Ask = Callable[[str, QueryVector], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of one system in one round."""

    chunks: int
    system: str
    round: str
    p50: float
    p95: float


def row_of(chunks: int, system: str, round_name: str, milliseconds: Sequence[float]) -> Row:
    """The percentiles of one round."""
    p50, p95 = (round(float(np.percentile(milliseconds, at)), 2) for at in (50, 95))
    return Row(chunks, system, round_name, p50, p95)


def ways_of(ours: OurSearch, pool: RetrievalPool, table: str) -> dict[str, Ask]:
    """Everything of ours that is timed."""
    kind = IntentKind.CASE_STUDY
    plan = plan_of(INTENT_TABLE[kind])

    async def statement(question: str, vector: QueryVector) -> object:
        return await one_statement(pool, table, question, vector, plan)

    return {
        "vector channel": lambda _question, vector: ours.vector(vector),
        "keyword channel": lambda question, _vector: ours.keyword(question),
        "hybrid query": lambda question, vector: ours.hybrid(question, vector, limit=LIMIT),
        NODE: lambda question, vector: ours.node(question, vector, kind),
        STATEMENT: statement,
    }


async def timed(ask: Ask, question: str, vector: QueryVector) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    await ask(question, vector)
    return (time.perf_counter() - began) * 1000


async def in_turn(ways: dict[str, Ask], asked: Sequence[tuple[str, QueryVector]]) -> dict[str, list[float]]:
    """One client: each question by every way before the next."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for question, vector in asked:
        for name, ask in ways.items():
            found[name].append(await timed(ask, question, vector))
    return found


async def at_once(ask: Ask, asked: Sequence[tuple[str, QueryVector]], clients: int) -> list[float]:
    """Several clients, each asking its next question as soon as it has an answer."""
    waiting = iter(asked)

    async def client() -> list[float]:
        return [await timed(ask, question, vector) for question, vector in waiting]

    return [one for times in await asyncio.gather(*(client() for _ in range(clients))) for one in times]


async def our_rows(chunks: int, sources: Sources, table: str) -> list[Row]:
    """All rounds of our own."""
    asked = [
        (question, QueryVector(SPACE, vector))
        for question, vector in zip(sources.questions, sources.question_vectors, strict=True)
    ]
    pool = await RetrievalPool.open()
    ways = ways_of(OurSearch(pool), pool, table)
    rows = []
    try:
        for round_name in ("cold", "warm"):
            for name, times in (await in_turn(ways, asked)).items():
                rows.append(row_of(chunks, name, round_name, times))
        for name, ask in ways.items():
            rows.append(row_of(chunks, name, f"{CLIENTS} clients", await at_once(ask, asked, CLIENTS)))
    finally:
        await pool.close()
    return rows


def peer_rows(chunks: int, sources: Sources, url: str, options: argparse.Namespace) -> list[Row]:
    """The peers, one client and eight."""
    items = list(items_of(sources, chunks))
    asked = Asked(
        label=f"latency_{chunks}",
        ids=[item.id for item in items],
        texts=[item.text for item in items],
        authorities=[item.authority for item in items],
        vectors=np.stack([item.vector for item in items]),
        question_ids=[str(number) for number in range(len(sources.questions))],
        questions=sources.questions,
        question_vectors=sources.question_vectors,
    )
    rows = []
    for clients, round_name in ((1, "warm"), (CLIENTS, f"{CLIENTS} clients")):
        answers = run_peers(
            asked,
            server_url=url,
            work=options.work,
            environments=options.environments or options.work / "peers",
            mode="latency",
            depth=DEPTH,
            limit=LIMIT,
            clients=clients,
        )
        rows += [row_of(chunks, name, round_name, found["milliseconds"]) for name, found in answers.items()]
    return rows


def fill_library(chunks: int, sources: Sources, url: str) -> str:
    """Point Django at the library of this size, filled where it is new. The name of its table of vectors."""
    name = f"latency_{chunks}"
    if server.database_use(url, name):
        try:
            fill(items_of(sources, chunks))
        except BaseException:
            server.database_drop(url, name)
            raise
    return EmbeddingSpace.objects.get(name=SPACE).table


def table_of(rows: Sequence[Row]) -> str:
    """The rows for people, as Markdown, and the ratio that matters."""
    lines = ["| chunks | system | round | p50 ms | p95 ms |", "|---|---|---|---|---|"]
    lines += [f"| {row.chunks:,} | {row.system} | {row.round} | {row.p50:.1f} | {row.p95:.1f} |" for row in rows]
    for chunks in dict.fromkeys(row.chunks for row in rows):
        warm = {row.system: row for row in rows if row.chunks == chunks and row.round == "warm"}
        p50, p95 = (getattr(warm[NODE], at) / getattr(warm[STATEMENT], at) for at in ("p50", "p95"))
        lines.append(f"\n{chunks:,} chunks: the node takes {p50:.2f} x the statement at p50, {p95:.2f} x at p95")
    return "\n".join(lines)


def picture(rows: Sequence[Row], path: Path) -> None:
    """p95 of each system, warm, for each size."""
    from matplotlib.figure import Figure

    warm = [row for row in rows if row.round == "warm"]
    sizes = sorted({row.chunks for row in warm})
    systems = sorted({row.system for row in warm}, key=lambda name: -max(r.p95 for r in warm if r.system == name))
    figure = Figure(figsize=(7, 0.5 * len(systems) + 1), layout="constrained")
    axes = figure.subplots()
    for offset, size in enumerate(sizes):
        found = {row.system: row.p95 for row in warm if row.chunks == size}
        places = [at + 0.8 * (offset + 0.5) / len(sizes) - 0.4 for at in range(len(systems))]
        widths = [found.get(name, 0.0) for name in systems]
        bars = axes.barh(places, widths, height=0.8 / len(sizes), label=f"{size:,} chunks")
        axes.bar_label(bars, fmt="%.0f", padding=3)
    axes.set_yticks(range(len(systems)), systems)
    axes.set_xscale("log")
    axes.set_xlabel("milliseconds, p95, one client, warm")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path)


def main() -> int:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", default="10000,100000", help="sizes of the libraries, with commas")
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the judged sets")
    parser.add_argument("--sets", nargs="+", default=NAMES, help="the sets whose texts fill the libraries")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--peers", action="store_true", help="measure the peers as well")
    parser.add_argument("--environments", type=Path, help="where the peers' environments are; default: <work>/peers")
    parser.add_argument("--picture", type=Path, help="write a picture there (.svg or .png)")
    parser.add_argument("--json", action="store_true")
    server.add_arguments(parser)
    options = parser.parse_args()
    sources = sources_of(options.sets, folder=options.data, work=options.work, questions=options.questions)
    rows: list[Row] = []
    with server.server(options.work, options.database) as url:
        for chunks in map(int, options.chunks.split(",")):
            table = fill_library(chunks, sources, url)
            rows += asyncio.run(our_rows(chunks, sources, table))
            if options.peers:
                rows += peer_rows(chunks, sources, url, options)
    if options.picture:
        picture(rows, options.picture)
    if options.json:
        print(json.dumps([{name: getattr(row, name) for name in Row.__slots__} for row in rows]))
    else:
        print(table_of(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
