"""manage.py ingest PATH...: read files into the library and wait for the end."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus.errors import CorpusError, InvalidDocument
from corpus.library import Labels, file_take
from corpus.models import Ingestion
from corpus.selectors import ingestion_get, workers_seen
from corpus.services import MAX_FILE_BYTES
from corpus.taxonomy import Authority, ContentType

POLL_SECONDS = 0.2
WORKER_WAIT_SECONDS = 30.0


@dataclass
class Outcome:
    """What became of one path; `refused` says why nothing of it is in the library."""

    file: str
    ingestion: UUID | None = None
    known: bool = False
    refused: str = ""
    state: str = "refused"
    document: str = ""
    title: str = ""
    status: str = ""
    chunks: int = 0
    warnings: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        """One line for programs."""
        return json.dumps(
            {
                "file": self.file,
                "state": self.state,
                "reason": self.refused,
                "document": self.document,
                "title": self.title,
                "status": self.status,
                "chunks": self.chunks,
                "known": self.known,
                "warnings": self.warnings,
            },
            ensure_ascii=False,
        )


class Command(BaseCommand):
    """Exit code 0: every file is in the library; 1: at least one was refused."""

    help = "Read files (or the files of folders) into the library, and wait until they are in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH")
        parser.add_argument("--authority", required=True, choices=[authority.value for authority in Authority])
        parser.add_argument("--content-type", required=True, choices=[kind.value for kind in ContentType])
        parser.add_argument("--title", default="", help="instead of the title the file gives itself; for one file")
        parser.add_argument(
            "--language", default="", help="language tag of the text, such as de; else what the file says, else en"
        )
        parser.add_argument("--creator", default="", help="who wrote it")
        parser.add_argument("--publish", action="store_true", help="publish each document as soon as it is read in")
        parser.add_argument("--json", action="store_true", help="print one JSON object a file")

    def handle(self, *_args: Any, **options: Any) -> None:
        files = list(_files(options["paths"]))
        if options["title"] and len(files) > 1:
            raise CommandError("--title is for a single file.")
        labels = Labels(
            authority=options["authority"],
            content_type=options["content_type"],
            title=options["title"],
            language=options["language"],
            creator=options["creator"],
        )
        say: Callable[[str], None] = (lambda _: None) if options["json"] else self.stdout.write
        outcomes = [_take(path, labels, publish=options["publish"]) for path in files]
        for outcome in outcomes:
            _wait(outcome, say)
            self.stdout.write(outcome.as_json() if options["json"] else _line(outcome))
        if any(outcome.refused for outcome in outcomes):
            raise SystemExit(1)


def _files(paths: list[str]) -> Iterator[Path]:
    """The paths, with each folder replaced by its files in order; hidden files are left out."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
        else:
            yield path


def _take(path: Path, labels: Labels, *, publish: bool) -> Outcome:
    outcome = Outcome(file=str(path))
    try:
        taken = file_take(name=path.name, data=_read(path), labels=labels, publish=publish)
    except OSError as error:
        outcome.refused = f"{error.strerror or error}."
    except CorpusError as error:
        outcome.refused = str(error)
    else:
        outcome.ingestion, outcome.known = taken.ingestion.pk, taken.known
    return outcome


def _read(path: Path) -> bytes:
    """What is in the file. Raises OSError, InvalidDocument for what cannot be read to an end or is too large."""
    if path.exists() and not path.is_file():
        raise InvalidDocument("This is no file.")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise InvalidDocument(f"The file is too large; up to {MAX_FILE_BYTES // 1024 // 1024} MB can be read.")
    return path.read_bytes()


def _wait(outcome: Outcome, say: Callable[[str], None]) -> None:
    """Wait for the end of one file's ingestion, saying how far it is."""
    said = ""
    seen = time.monotonic()
    while outcome.ingestion is not None:
        ingestion = ingestion_get(ingestion_id=outcome.ingestion)
        if ingestion is None:
            outcome.refused = "The document was deleted meanwhile."
            return
        if ingestion.state not in Ingestion.WORKING_STATES:
            _end(outcome, ingestion)
            return
        if (now := _progress(outcome, ingestion)) != said:
            say(said := now)
        if ingestion.attempts or workers_seen():
            seen = time.monotonic()
        elif time.monotonic() - seen > getattr(settings, "INGESTION_WORKER_WAIT_SECONDS", WORKER_WAIT_SECONDS):
            outcome.state = ingestion.state
            outcome.refused = (
                "No worker answers: start one (make run starts it). The file is queued and will be read in."
            )
            return
        time.sleep(POLL_SECONDS)


def _end(outcome: Outcome, ingestion: Ingestion) -> None:
    document = ingestion.document
    outcome.state, outcome.status = ingestion.state, document.status
    outcome.document, outcome.title = str(document.pk), document.title
    outcome.warnings = ingestion.warnings
    outcome.chunks = document.chunks.count()
    if ingestion.state == Ingestion.State.FAILED:
        outcome.refused = ingestion.reason
    elif ingestion.state == Ingestion.State.SUPERSEDED:
        outcome.refused = "A newer file took its place."


def _progress(outcome: Outcome, ingestion: Ingestion) -> str:
    count = f" {ingestion.done} of {ingestion.total}" if ingestion.total else ""
    reason = f" ({ingestion.reason})" if ingestion.reason else ""
    return f"{outcome.file}: {ingestion.get_state_display().lower()}{count}{reason}"


def _line(outcome: Outcome) -> str:
    if outcome.refused:
        return f"{outcome.file}: refused. {outcome.refused}"
    known = "already in the library, " if outcome.known else ""
    warnings = "".join(f"\n  mind: {warning}" for warning in outcome.warnings)
    return f"{outcome.file}: {known}{outcome.chunks} chunks, {outcome.status}, “{outcome.title}”{warnings}"
