"""Runs the peers in `benchmarks/peers/`, each with the interpreter of an environment of its own, never ours.

An environment is a folder made as benchmarks/peers/README.md says; a peer without one is left out, and that is said.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from corpus.minilm import Floats
from corpus.taxonomy import Authority

SCRIPTS = Path(__file__).parent / "peers"
NAMES = ("llamaindex", "langchain", "haystack", "txtai")
DATABASE = "peers"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The same texts, vectors and questions that our own search is given."""

    label: str
    ids: Sequence[str]
    texts: Sequence[str]
    authorities: Sequence[Authority]
    vectors: Floats
    question_ids: Sequence[str]
    questions: Sequence[str]
    question_vectors: Floats


def run_peers(
    asked: Asked,
    *,
    server_url: str,
    work: Path,
    environments: Path,
    mode: str,
    depth: int,
    limit: int,
    clients: int = 1,
) -> dict[str, dict[str, Any]]:
    """What each system of each peer answered. A peer that fails is named with the end of what it said."""
    with psycopg.connect(f"{server_url}/postgres", autocommit=True) as admin:
        if admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
            admin.execute(f"CREATE DATABASE {DATABASE}")
    url = f"{server_url.replace('postgres://', 'postgresql://')}/{DATABASE}"
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")
    answers: dict[str, dict[str, Any]] = {}
    for peer in NAMES:
        interpreter = environments / peer / "bin" / "python"
        if not interpreter.exists():
            print(f"{peer}: no environment {interpreter.parent.parent}, left out", file=sys.stderr)
            continue
        folder = work / "jobs" / f"{asked.label}-{peer}"
        filled = folder / "filled"
        facts = {
            "url": url,
            "table": f"{peer}_{asked.label}",
            "mode": mode,
            "depth": depth,
            "limit": limit,
            "clients": clients,
            "loaded": filled.exists(),
        }
        _write(folder, asked, facts)
        script = SCRIPTS / f"peer_{peer}.py"
        ran = subprocess.run([interpreter, script, folder], capture_output=True, text=True, check=False)
        if ran.returncode:
            print(f"{peer} failed: {ran.stderr.strip()[-500:]}", file=sys.stderr)
            continue
        filled.touch()
        answers |= json.loads((folder / f"{peer}.json").read_text())
    return answers


def analyse(server_url: str) -> None:
    """What autovacuum would do in time, so that nobody is measured with a planner that knows nothing."""
    with psycopg.connect(f"{server_url}/{DATABASE}", autocommit=True) as database:
        database.execute("VACUUM ANALYZE")


def _write(folder: Path, asked: Asked, facts: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "job.json").write_text(json.dumps(facts))
    documents = zip(asked.ids, asked.texts, asked.authorities, strict=True)
    _write_rows(folder / "documents.jsonl", [{"id": i, "text": t, "authority": a} for i, t, a in documents])
    questions = zip(asked.question_ids, asked.questions, strict=True)
    _write_rows(folder / "questions.jsonl", [{"id": i, "text": t} for i, t in questions])
    np.save(folder / "documents.npy", asked.vectors)
    np.save(folder / "questions.npy", asked.question_vectors)


def _write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
