"""Public judged sets: questions, documents, and which documents answer which question. Read from a folder.

A set is a folder of three files: `corpus.jsonl.gz` (_id, title, text), `queries.jsonl` (_id, text) and `qrels.tsv`
(query, document, grade). By default they are looked for beside the project, in `../shared/data`; each folder's
SOURCE.md says where a set comes from and under which licence.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from secondact.env import ROOT

FOLDER = ROOT.parent / "shared" / "data"
NAMES = ("counselchat", "mtragun", "scifact", "xquad_en")
"""The sets that have a corpus and judgments."""


@dataclass(frozen=True, slots=True)
class SetDocument:
    """One document of a set; most have no title."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Documents, questions by id, and the grades (1 or more) of the documents that answer each question."""

    name: str
    documents: tuple[SetDocument, ...]
    questions: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class ConversationTask:
    """A conversation up to its last question, with what its makers say of that question."""

    id: str
    collection: str
    history: tuple[tuple[str, str], ...]
    """(speaker, text), oldest first; the speaker is `user` or `agent`."""
    question: str
    answerability: str
    """ANSWERABLE, PARTIAL, UNANSWERABLE or UNDERSPECIFIED."""
    multi_turn: str
    """How the question hangs on what was said before, Follow-up or Clarification; empty where it does not."""
    targets: tuple[str, ...]
    """The answers people wrote."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question of a conversation as asked, and as rewritten to stand alone."""

    id: str
    history: tuple[str, ...]
    """The earlier questions, oldest first."""
    question: str
    standalone: str


def load_set(name: str, *, folder: Path = FOLDER) -> JudgedSet:
    """A judged set. Its questions are only those that have judgments. Raises FileNotFoundError."""
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / name / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant[question][document] = int(grade)
    return JudgedSet(
        name=name,
        documents=tuple(
            SetDocument(row["_id"], row.get("title", ""), row["text"])
            for row in _rows(folder / name / "corpus.jsonl.gz")
        ),
        questions={row["_id"]: row["text"] for row in _rows(folder / name / "queries.jsonl") if row["_id"] in relevant},
        relevant=dict(relevant),
    )


def load_conversations(*, folder: Path = FOLDER) -> tuple[ConversationTask, ...]:
    """The conversations of `mtragun`, labelled with whether their last question can be answered as it stands."""
    return tuple(
        ConversationTask(
            id=row["_id"],
            collection=row["collection"],
            # What was said ends with the question itself.
            history=tuple((said["speaker"], said["text"]) for said in row["history"][:-1]),
            question=row["history"][-1]["text"],
            answerability=row["answerability"],
            multi_turn="" if row["multi_turn"] == "N/A" else row["multi_turn"],
            targets=tuple(row["target"]),
        )
        for row in _rows(folder / "mtragun" / "conversations.jsonl.gz")
    )


def load_rewrites(*, folder: Path = FOLDER) -> tuple[Rewrite, ...]:
    """The questions of `mtrag_rewrites`, as asked and as rewritten to stand alone."""
    return tuple(
        Rewrite(row["_id"], tuple(row["history"]), row["last"], row["rewrite"])
        for row in _rows(folder / "mtrag_rewrites" / "rewrites.jsonl.gz")
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file with one JSON object a line."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    yield from map(json.loads, text.decode("utf-8").strip().split("\n"))
