"""How good our lists are on public judged sets: `python -m benchmarks.retrieval_quality [--peers --json ...]`.

Every document of a set is one chunk, so that all systems search the same texts by the same vectors on the same
Postgres. `hybrid` is the product's list over everything; `phase 1` is what the retrieval node puts into its first phase
when a seeded 40 % of the documents are primary, judged by the primary documents that are relevant. Vectors of the
local model are computed once and kept under --work.
"""

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import server
from benchmarks.datasets import FOLDER, NAMES, JudgedSet, load_set
from benchmarks.filling import SEED, SPACE, Item, authorities_of, fill, text_of
from benchmarks.metrics import mean, ndcg, recall
from benchmarks.our_search import DEPTH, OurSearch
from benchmarks.peer_runs import Asked, run_peers
from benchmarks.vectors import vectors_of
from corpus.embeddings import QueryVector
from corpus.pool import RetrievalPool
from corpus.taxonomy import Authority
from pipeline.phases import PHASE_1_SLOTS

OURS = "SecondAct hybrid"
VECTOR, KEYWORD = "vectors alone", "keywords alone"


@dataclass(frozen=True, slots=True)
class Row:
    """One system on one set. `phase_1` is nDCG@8 among the primary documents; None where there is no such list."""

    system: str
    set: str
    ndcg10: float
    recall10: float
    recall100: float
    phase_1: float | None


Ranked = Sequence[Sequence[str]]
"""One ranked list of ids a question."""


def row_of(
    judged: JudgedSet, system: str, ranked: Ranked, primary: Ranked | None, authorities: Mapping[str, Authority]
) -> Row:
    """The figures of one system's lists, which are in the order of the set's questions."""
    grades = [judged.relevant[question] for question in judged.questions]
    pairs = list(zip(ranked, grades, strict=True))
    phase_1 = None
    if primary is not None:
        trusted = [{one: g for one, g in of.items() if authorities[one] is Authority.PRIMARY} for of in grades]
        firsts = [ndcg(found, of, PHASE_1_SLOTS) for found, of in zip(primary, trusted, strict=True) if of]
        phase_1 = mean(firsts)
    return Row(
        system=system,
        set=judged.name,
        ndcg10=mean([ndcg(found, of, 10) for found, of in pairs]),
        recall10=mean([recall(found, of, 10) for found, of in pairs]),
        recall100=mean([recall(found, of, 100) for found, of in pairs]),
        phase_1=phase_1,
    )


def some_of(judged: JudgedSet, number: int | None) -> JudgedSet:
    """The set with so many of its questions, or all."""
    if number is None or number >= len(judged.questions):
        return judged
    kept = random.Random(SEED).sample(sorted(judged.questions), number)
    return replace(judged, questions={one: judged.questions[one] for one in kept})


def asked_of(judged: JudgedSet, work: Path) -> Asked:
    """A set with its vectors."""
    texts = [text_of(document) for document in judged.documents]
    questions = list(judged.questions.values())
    return Asked(
        label=judged.name,
        ids=[document.id for document in judged.documents],
        texts=[text.replace("\x00", " ") for text in texts],
        authorities=authorities_of(judged.documents),
        vectors=vectors_of(texts, work=work, label=f"{judged.name}-documents"),
        question_ids=list(judged.questions),
        questions=questions,
        question_vectors=vectors_of(questions, work=work, label=f"{judged.name}-questions"),
    )


def fill_set(judged: JudgedSet, asked: Asked, server_url: str) -> None:
    """Point Django at the set's database, filled where it is new."""
    name = f"quality_{judged.name}"
    if not server.database_use(server_url, name):
        return
    try:
        fill(
            Item(document.id, document.id, document.title, document.text, vector, authority)
            for document, vector, authority in zip(judged.documents, asked.vectors, asked.authorities, strict=True)
        )
    except BaseException:
        server.database_drop(server_url, name)
        raise


async def our_rows(judged: JudgedSet, asked: Asked) -> list[Row]:
    """The product, and each of its channels alone."""
    pool = await RetrievalPool.open(min_size=6, max_size=6)
    ours = OurSearch(pool)
    hybrid, near, worded, first = [], [], [], []
    try:
        for question, vector in zip(asked.questions, asked.question_vectors, strict=True):
            query = QueryVector(SPACE, vector)
            hybrid.append(await ours.hybrid(question, query))
            near.append(await ours.vector(query))
            worded.append(await ours.keyword(question))
            first.append(await ours.phase_1(question, query))
    finally:
        await pool.close()
    authorities = dict(zip(asked.ids, asked.authorities, strict=True))
    return [
        row_of(judged, OURS, hybrid, first, authorities),
        row_of(judged, VECTOR, near, None, authorities),
        row_of(judged, KEYWORD, worded, None, authorities),
    ]


def peer_rows(judged: JudgedSet, asked: Asked, server_url: str, options: argparse.Namespace) -> list[Row]:
    """The peers, with their own filter for the primary documents."""
    answers = run_peers(
        asked,
        server_url=server_url,
        work=options.work,
        environments=options.environments or options.work / "peers",
        mode="quality",
        depth=DEPTH,
        limit=DEPTH,
    )
    authorities = dict(zip(asked.ids, asked.authorities, strict=True))
    return [row_of(judged, system, found["all"], found["primary"], authorities) for system, found in answers.items()]


def means(rows: Sequence[Row]) -> list[Row]:
    """One row a system: the mean over the sets."""
    systems = dict.fromkeys(row.system for row in rows)
    return [_mean_row(system, [row for row in rows if row.system == system]) for system in systems]


def _mean_row(system: str, rows: Sequence[Row]) -> Row:
    firsts = [row.phase_1 for row in rows if row.phase_1 is not None]
    return Row(
        system,
        "mean",
        mean([row.ndcg10 for row in rows]),
        mean([row.recall10 for row in rows]),
        mean([row.recall100 for row in rows]),
        mean(firsts) if firsts else None,
    )


def table(rows: Sequence[Row]) -> str:
    """The rows for people, as Markdown."""
    lines = ["| set | system | nDCG@10 | recall@10 | recall@100 | phase 1, nDCG@8 |", "|---|---|---|---|---|---|"]
    for row in rows:
        first = f"{row.phase_1:.3f}" if row.phase_1 is not None else "-"
        lines.append(
            f"| {row.set} | {row.system} | {row.ndcg10:.3f} | {row.recall10:.3f} | {row.recall100:.3f} | {first} |"
        )
    return "\n".join(lines)


def picture(rows: Sequence[Row], path: Path) -> None:
    """The means as bars, best first."""
    from matplotlib.figure import Figure

    ordered = sorted(rows, key=lambda row: row.ndcg10)
    figure = Figure(figsize=(7, 0.4 * len(ordered) + 1), layout="constrained")
    axes = figure.subplots()
    colours = ["#b4532a" if row.system == OURS else "#8a94a0" for row in ordered]
    bars = axes.barh([row.system for row in ordered], [row.ndcg10 for row in ordered], color=colours)
    axes.bar_label(bars, fmt="%.3f", padding=3)
    axes.set_xlim(min(row.ndcg10 for row in ordered) - 0.05, max(row.ndcg10 for row in ordered) + 0.03)
    axes.set_xlabel("mean nDCG@10")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


def main() -> int:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the judged sets")
    parser.add_argument("--sets", nargs="+", default=NAMES)
    parser.add_argument("--questions", type=int, help="only so many of each set, chosen by a seed")
    parser.add_argument("--peers", action="store_true", help="measure the peers as well")
    parser.add_argument("--environments", type=Path, help="where the peers' environments are; default: <work>/peers")
    parser.add_argument("--picture", type=Path, help="write a picture there (.svg or .png)")
    parser.add_argument("--json", action="store_true")
    server.add_arguments(parser)
    options = parser.parse_args()
    rows: list[Row] = []
    with server.server(options.work, options.database) as url:
        for name in options.sets:
            judged = some_of(load_set(name, folder=options.data), options.questions)
            asked = asked_of(judged, options.work)
            fill_set(judged, asked, url)
            print(f"{name}: {len(judged.documents)} documents, {len(judged.questions)} questions", file=sys.stderr)
            rows += asyncio.run(our_rows(judged, asked))
            if options.peers:
                rows += peer_rows(judged, asked, url, options)
    averages = means(rows)
    if options.picture:
        picture(averages, options.picture)
    if options.json:
        print(json.dumps([{name: getattr(row, name) for name in Row.__slots__} for row in (*rows, *averages)]))
    else:
        print(table([*rows, *averages]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
