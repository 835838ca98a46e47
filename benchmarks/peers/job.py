"""What every peer shares: the job it is given as a folder, and the way its answers go back. Needs numpy only.

`job.json` says what is asked; documents and questions stand as JSON lines beside their vectors. A peer writes
`<peer>.json`: for each of its systems the ranked ids of each question, or the milliseconds of each question.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

WARM_UP = 20


class Job:
    """Documents (id, text, authority, vector), questions (id, text, vector), and what is asked of the peer."""

    def __init__(self, folder: Path) -> None:
        facts = json.loads((folder / "job.json").read_text())
        self.folder = folder
        self.url: str = facts["url"]
        """postgresql://user:password@host:port/database"""
        self.table: str = facts["table"]
        self.mode: str = facts["mode"]
        """quality: rank everything and the primary ones only; latency: time each question."""
        self.depth: int = facts["depth"]
        """Candidates of each arm."""
        self.limit: int = facts["limit"]
        """How long the fused list is."""
        self.clients: int = facts["clients"]
        self.loaded: bool = facts["loaded"]
        """Whether an earlier run has filled the table."""
        documents = _rows(folder / "documents.jsonl")
        questions = _rows(folder / "questions.jsonl")
        self.ids = [row["id"] for row in documents]
        self.texts = [row["text"] for row in documents]
        self.authorities = [row["authority"] for row in documents]
        self.vectors = np.load(folder / "documents.npy")
        self.question_ids = [row["id"] for row in questions]
        self.questions = [row["text"] for row in questions]
        self.question_vectors = dict(zip(self.questions, np.load(folder / "questions.npy").tolist(), strict=True))


Find = Callable[[str, bool], Sequence[str]]
"""The ranked ids for a question; True: among the primary documents only."""


def run(peer: str, systems: Callable[[Job], dict[str, Find]]) -> None:
    """Answer the job named on the command line with a peer's systems."""
    job = Job(Path(sys.argv[1]))
    found = {name: _answers(job, find) for name, find in systems(job).items()}
    (job.folder / f"{peer}.json").write_text(json.dumps(found))


def _answers(job: Job, find: Find) -> dict[str, Any]:
    if job.mode == "latency":
        return {"milliseconds": _timed(job, find)}
    return {
        "all": [list(find(question, False)) for question in job.questions],
        "primary": _primary(job, find),
    }


def _primary(job: Job, find: Find) -> list[list[str]] | None:
    """The same among the primary documents; None when a system has no filter."""
    try:
        return [list(find(question, True)) for question in job.questions]
    except NotImplementedError:
        return None


def _timed(job: Job, find: Find) -> list[float]:
    for question in job.questions[:WARM_UP]:
        find(question, False)

    def one(question: str) -> float:
        began = time.perf_counter()
        find(question, False)
        return (time.perf_counter() - began) * 1000

    with ThreadPoolExecutor(job.clients) as threads:
        return list(threads.map(one, job.questions))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").strip().split("\n")]
