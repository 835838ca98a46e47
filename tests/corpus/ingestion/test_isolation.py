import sys
import time
from pathlib import Path

import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion import isolation, reading
from corpus.ingestion.child import as_json, from_json
from corpus.ingestion.isolation import ReadLimits, about_isolated, read_isolated
from corpus.ingestion.sections import Block, BlockKind, Reading, Section

PAGE = b"<title>Bees</title><h1>Bees</h1><p>Wild bees like sand.</p>"


def child_that_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: str) -> None:
    """Put another program where the reading process would be."""
    package = tmp_path / "corpus" / "ingestion"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    (package / "child.py").write_text(lines)
    monkeypatch.setattr(isolation, "_ROOT", tmp_path)


def test_a_reading_is_the_same_after_its_way_through_json() -> None:
    section = Section(
        ("A", "b"),
        (Block("A", BlockKind.HEADING), Block("x | y", BlockKind.ROW, {"page": "3"})),
        {"chapter": "A"},
        "de",
    )
    whole = Reading((section,), title="T", language="en", creator="Ann", warnings=("mind",))
    assert from_json(as_json(whole)) == whole


def test_a_child_reads_what_the_reader_reads() -> None:
    assert read_isolated("bees.html", PAGE) == reading.read_file("bees.html", PAGE)


def test_a_refusal_of_the_reader_comes_through_in_its_own_words() -> None:
    with pytest.raises(UnreadableFile, match="The PDF is broken: it cannot be opened"):
        read_isolated("a.pdf", b"%PDF-1.7 nothing more")


def test_markdown_is_read_without_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert read_isolated("a.md", b"# A\n\nb").sections[0].heading_path == ("A",)


def test_a_name_that_looks_like_an_option_is_only_a_name() -> None:
    assert read_isolated("--help.html", PAGE).title == "Bees"


def test_a_child_that_takes_too_long_is_ended_and_said_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    child_that_runs(monkeypatch, tmp_path, "import time; time.sleep(60)")
    started = time.monotonic()
    with pytest.raises(UnreadableFile, match="took too long"):
        read_isolated("a.pdf", b"%PDF-", ReadLimits(seconds=1))
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("lines", ["import os; os.kill(os.getpid(), 11)", "raise ValueError('a fault of the parser')"])
def test_a_child_that_crashes_becomes_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: str) -> None:
    child_that_runs(monkeypatch, tmp_path, lines)
    with pytest.raises(UnreadableFile, match="reading it failed"):
        read_isolated("a.pdf", b"%PDF-")


def test_a_file_beyond_the_memory_limit_becomes_a_sentence() -> None:
    page = b"<p>" + b"word " * 12_000_000
    with pytest.raises(UnreadableFile, match=r"more memory|reading it failed"):
        read_isolated("a.html", page, ReadLimits(memory=200 * 1024 * 1024))


def test_a_child_is_not_told_the_secrets_of_its_parent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    lines = "import os, json; print(json.dumps({'refused': str('SECRET_KEY' in os.environ)}))"
    child_that_runs(monkeypatch, tmp_path, lines)
    with pytest.raises(UnreadableFile, match="False"):
        read_isolated("a.pdf", b"%PDF-")


def test_what_cannot_be_read_is_called_by_its_name() -> None:
    assert about_isolated("broken.pdf", b"%PDF-").title == "broken"
    assert about_isolated("page.html", PAGE).title == "Bees"
