"""What a follow-up question is searched with, and what that finds:
`python -m benchmarks.followups [--data FOLDER] [--model NAME] [--json] [--work FOLDER] [--database URL]`.

Two measures. On `mtragun`, whose last questions have judged documents: nDCG@10 of the last question alone, and of the
search query that the product makes of it and of the turns before. On the rows with history of `member_questions`: how
many of the 8 best chunks of the sample library the product's query has in common with the stand-alone form a person
wrote; changes of topic, where that form carries nothing over, apart. Lists are fused by reciprocal rank fusion, on a
Postgres of the benchmarks' own.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks import server
from benchmarks.datasets import FOLDER, ConversationTask, JudgedSet, load_conversations, load_set
from benchmarks.filling import Item, authorities_of, fill, text_of
from benchmarks.metrics import mean, ndcg
from benchmarks.models import LOCAL, Models, models_for
from benchmarks.questions import Earlier, Labelled, questions_read
from benchmarks.replaying import Replay
from benchmarks.sample_library import sample_library_fill
from benchmarks.searching import searcher
from benchmarks.vectors import vectors_of
from corpus.models.spaces import EmbeddingSpace, active_space
from corpus.search import PublishedChunk
from pipeline.turn import SearchQuery, WeightedText
from pipeline.words import content_words

NDCG_DEPTH = 10
OVERLAP_DEPTH = 8
SET = "mtragun"


@dataclass(frozen=True, slots=True)
class Found:
    """One measured question: its figure with the question alone and with the product's query."""

    id: str
    follows: bool
    """Whether anything was said before it."""
    changes_topic: bool
    alone: float
    product: float


async def mtragun_found(models: Models, space: EmbeddingSpace, folder: Path) -> list[Found]:
    """nDCG@10 of every judged question of the set."""
    relevant = load_set(SET, folder=folder).relevant
    replay = Replay(models)
    found = []
    async with searcher(space) as search:
        for task in load_conversations(folder=folder):
            if task.id in relevant:
                judged = await replay.judged(task.question, turns_of(task))
                alone = await search.found(plain(task.question), _item, NDCG_DEPTH)
                product = await search.found(judged.intent.search, _item, NDCG_DEPTH)
                grades = relevant[task.id]
                gains = (ndcg(ranked, grades, NDCG_DEPTH) for ranked in (alone, product))
                found.append(Found(task.id, bool(task.history), False, *gains))
    return found


async def members_found(models: Models, space: EmbeddingSpace, questions: Sequence[Labelled]) -> list[Found]:
    """The share of the 8 best chunks that are those of the form a person wrote, for every row with history."""
    found = []
    async with searcher(space) as search:
        for row in questions:
            if row.history and not row.needs_clarification and not row.small_talk:
                judged = await Replay(models).judged(row.text, row.history)
                wanted = await search.found(plain(row.standalone), _chunk, OVERLAP_DEPTH)
                alone = await search.found(plain(row.text), _chunk, OVERLAP_DEPTH)
                product = await search.found(judged.intent.search, _chunk, OVERLAP_DEPTH)
                shares = (len(set(ranked) & set(wanted)) / max(len(wanted), 1) for ranked in (alone, product))
                found.append(Found(row.id, True, carries_nothing(row), *shares))
    return found


def turns_of(task: ConversationTask) -> tuple[Earlier, ...]:
    """The conversation before the last question, as questions with their answers."""
    turns: list[Earlier] = []
    for speaker, text in task.history:
        if speaker == "user":
            turns.append(Earlier(text, ""))
        elif turns:
            turns[-1] = Earlier(turns[-1].question, text)
    return tuple(turns)


def carries_nothing(row: Labelled) -> bool:
    """Whether the form a person wrote takes no word from before: the question changes the topic."""
    return set(content_words(row.standalone)) <= set(content_words(row.text))


def plain(question: str) -> SearchQuery:
    """The query of a question without a conversation."""
    return SearchQuery(question, (WeightedText(question),))


def report_of(mtragun: Sequence[Found], members: Sequence[Found]) -> dict[str, Any]:
    """The figures, in plain JSON values."""
    return {
        "mtragun_ndcg10": {
            "all": _means(mtragun),
            "follow_ups": _means([one for one in mtragun if one.follows]),
            "first_questions": _means([one for one in mtragun if not one.follows]),
        },
        "member_questions_overlap8": {
            "all": _means(members),
            "follow_ups": _means([one for one in members if not one.changes_topic]),
            "changes_of_topic": _means([one for one in members if one.changes_topic]),
        },
    }


def _means(found: Sequence[Found]) -> dict[str, Any]:
    alone, product = mean([one.alone for one in found]), mean([one.product for one in found])
    return {"questions": len(found), "last_question_alone": round(alone, 4), "product": round(product, 4)}


def table_of(report: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{'':52}{'questions':>10}{'alone':>8}{'product':>9}"]
    for measure, title in _TITLES.items():
        for name, row in report[measure].items():
            words = f"{title}, {name.replace('_', ' ')}"
            lines.append(f"{words:52}{row['questions']:>10}{row['last_question_alone']:>8.3f}{row['product']:>9.3f}")
    return "\n".join(lines)


_TITLES = {"mtragun_ndcg10": "mtragun, nDCG@10", "member_questions_overlap8": "members, overlap of 8"}


def main() -> int:
    """Print the figures; 2 when the data cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the sets")
    parser.add_argument("--model", default=LOCAL, help="local, or package.module:factory of another LanguageModel")
    parser.add_argument("--rows", action="store_true", help="the figures of every question, with its id")
    parser.add_argument("--json", action="store_true")
    server.add_arguments(parser)
    options = parser.parse_args()
    try:
        questions = questions_read(options.data / "member_questions" / "questions.jsonl")
        load_set(SET, folder=options.data)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    with server.server(options.work, options.database) as url:
        mtragun, members, name = _measured(url, questions, options)
    report: dict[str, Any] = {"model": name, **report_of(mtragun, members)}
    if options.rows:
        report["rows"] = [asdict(one) for one in (*mtragun, *members)]
    print(json.dumps(report) if options.json or options.rows else table_of(report))
    return 0


def _measured(
    url: str, questions: Sequence[Labelled], options: argparse.Namespace
) -> tuple[list[Found], list[Found], str]:
    _use(url, f"followups_{SET}", lambda: _set_fill(load_set(SET, folder=options.data), options.work))
    mtragun, name = _with(options.model, lambda models, space: mtragun_found(models, space, options.data))
    _use(url, "followups_samples", sample_library_fill)
    members, _ = _with(options.model, lambda models, space: members_found(models, space, questions))
    return mtragun, members, name


def _use(url: str, name: str, fill_it: Callable[[], None]) -> None:
    """Point Django at a database, filled where it is new."""
    if server.database_use(url, name):
        try:
            fill_it()
        except BaseException:
            server.database_drop(url, name)
            raise


def _set_fill(judged: JudgedSet, work: Path) -> None:
    vectors = vectors_of([text_of(one) for one in judged.documents], work=work, label=f"{judged.name}-documents")
    fill(
        Item(one.id, one.id, one.title, one.text, vector, authority)
        for one, vector, authority in zip(judged.documents, vectors, authorities_of(judged.documents), strict=True)
    )


def _with(name: str, measure: Callable[[Models, EmbeddingSpace], Awaitable[list[Found]]]) -> tuple[list[Found], str]:
    # Read here: another thread would still be connected to the database before this one.
    space = active_space()

    async def measured() -> tuple[list[Found], str]:
        async with models_for(name) as models:
            return await measure(models, space), models.intent.name

    return asyncio.run(measured())


def _item(chunk: PublishedChunk) -> str:
    return str(chunk.locator["item"])


def _chunk(chunk: PublishedChunk) -> str:
    return chunk.public_id


if __name__ == "__main__":
    sys.exit(main())
