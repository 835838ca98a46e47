import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets import FOLDER, NAMES, SetDocument, load_conversations, load_rewrites, load_set

beside = pytest.mark.skipif(not (FOLDER / "scifact").is_dir(), reason=f"the judged sets are not in {FOLDER}")


def write(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def test_a_set_has_documents_questions_and_grades(tmp_path: Path) -> None:
    write(tmp_path / "a" / "corpus.jsonl.gz", {"_id": "d1", "title": "T", "text": "Größe"}, {"_id": "d2", "text": "x"})
    write(tmp_path / "a" / "queries.jsonl", {"_id": "q1", "text": "one"}, {"_id": "q2", "text": "not judged"})
    (tmp_path / "a" / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n")
    found = load_set("a", folder=tmp_path)
    assert found.documents == (SetDocument("d1", "T", "Größe"), SetDocument("d2", "", "x"))
    assert found.questions == {"q1": "one"}
    assert found.relevant == {"q1": {"d1": 2}}


def test_a_conversation_ends_before_its_question(tmp_path: Path) -> None:
    said = [
        {"speaker": "user", "text": "Hi"},
        {"speaker": "agent", "text": "Yes?"},
        {"speaker": "user", "text": "Why?"},
    ]
    row = {"_id": "c", "collection": "govt", "history": said, "answerability": "PARTIAL", "multi_turn": "N/A"}
    write(tmp_path / "mtragun" / "conversations.jsonl.gz", row | {"target": ["So."]})
    (task,) = load_conversations(folder=tmp_path)
    assert task.question == "Why?"
    assert task.history == (("user", "Hi"), ("agent", "Yes?"))
    assert (task.multi_turn, task.targets) == ("", ("So.",))


@beside
@pytest.mark.parametrize("name", NAMES)
def test_every_judgment_of_the_sets_beside_the_project_is_about_what_they_hold(name: str) -> None:
    found = load_set(name)
    documents = {document.id for document in found.documents}
    assert len(documents) == len(found.documents)
    assert set(found.questions) == set(found.relevant)
    assert all(set(grades) <= documents for grades in found.relevant.values())


@beside
def test_conversations_and_rewrites_are_read() -> None:
    assert len(load_conversations()) == 507
    assert len(load_rewrites()) == 777
