import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from corpus.models import Document, EmbeddingSpace
from corpus.selectors import ingestion_get
from corpus.services import document_withdraw, ingestion_run
from tests.corpus.reading_in import HashEmbedder, paragraphs

LABELS = ("--authority", "primary", "--content-type", "framework")


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own, and no worker is waited for."""
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.INGESTION_WORKER_WAIT_SECONDS = 0


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does its work whenever the command looks."""

    def work_then_look(**one):  # type: ignore[no-untyped-def]
        ingestion_run(**one, embedder_for=HashEmbedder())
        return ingestion_get(**one)

    monkeypatch.setattr("corpus.management.commands.ingest.ingestion_get", work_then_look)


def ingest(*args: object) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("ingest", *map(str, args), *LABELS, stdout=out)
    except SystemExit as ended:
        return out.getvalue(), int(str(ended.code))
    return out.getvalue(), 0


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.usefixtures("space", "worker")
def test_a_file_is_read_in_and_published_on_request(tmp_path: Path) -> None:
    out, code = ingest(write(tmp_path, "guide.md", "# The guide\n\nText."), "--publish")

    assert code == 0
    assert "1 chunks, published, “The guide”" in out


def test_what_is_too_large_or_no_file_is_refused_unread(db: None, tmp_path: Path) -> None:
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(10**12)
    os.mkfifo(tmp_path / "pipe")

    out, code = ingest(tmp_path / "large.txt", tmp_path / "pipe", "/dev/zero")

    assert code == 1
    assert "large.txt: refused. The file is too large; up to 100 MB can be read." in out
    assert out.count("This is no file.") == 2


@pytest.mark.usefixtures("space", "worker")
def test_one_refused_file_among_good_ones_is_named_and_makes_the_exit_code(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "Text.")
    write(tmp_path, "b.txt", "  \n")
    write(tmp_path, "c.exe", "x")
    write(tmp_path, ".hidden", "x")

    out, code = ingest(tmp_path, tmp_path / "gone.md", "--json")

    found = {Path(line["file"]).name: (line["state"], line["reason"]) for line in map(json.loads, out.splitlines())}
    assert code == 1
    assert list(found) == ["a.md", "b.txt", "c.exe", "gone.md"]
    assert found["a.md"] == ("live", "")
    assert found["b.txt"] == ("failed", "There is no text in the file.")
    assert found["c.exe"][1].startswith("Files of the format .exe cannot be read; what can be read is Markdown")
    assert found["gone.md"] == ("refused", "No such file or directory.")


@pytest.mark.usefixtures("space", "worker")
def test_the_same_file_is_known_again_and_relabelled(tmp_path: Path) -> None:
    path = write(tmp_path, "guide.md", paragraphs("One", "Two"))
    ingest(path)

    out, code = ingest(path, "--title", "Compass", "--publish")

    assert code == 0
    assert "already in the library" in out
    assert [(one.title, one.status) for one in Document.objects.all()] == [("Compass", "published")]


@pytest.mark.usefixtures("space", "worker")
def test_a_file_of_a_withdrawn_document_makes_another(tmp_path: Path) -> None:
    path = write(tmp_path, "guide.md", "Text.")
    ingest(path)
    document_withdraw(document=Document.objects.get())

    ingest(path)

    assert sorted(Document.objects.values_list("status", flat=True)) == ["draft", "withdrawn"]


@pytest.mark.usefixtures("space")
def test_without_a_worker_it_says_so(tmp_path: Path) -> None:
    out, code = ingest(write(tmp_path, "guide.md", "Text."))

    assert code == 1
    assert "No worker answers" in out


@pytest.mark.usefixtures("space")
def test_a_title_for_many_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="single file"):
        ingest(tmp_path / "a.md", tmp_path / "b.md", "--title", "T")


def test_an_unknown_authority_is_refused(space: EmbeddingSpace, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("ingest", str(tmp_path), "--authority", "secondary", "--content-type", "framework")
