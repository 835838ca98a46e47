"""Real workers on the real broker: what is uploaded is read in once, whatever becomes of a worker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil
import pytest
from celery import current_app
from django.db import connection
from pytest_django import Settings

from corpus.models import Chunk, Document, Ingestion
from corpus.models.spaces import space_create
from corpus.services import document_delete, ingestions_sweep
from tests.corpus.reading_in import DIMENSION, document_make, file_give, paragraphs

pytestmark = pytest.mark.django_db(transaction=True)

PARTS = 150
BIG = paragraphs(*(f"Part {number}" for number in range(PARTS)))
"""More than four seconds of the slow embedder, several leases long."""

StartWorker = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture(autouse=True)
def shared_world(settings: Settings, tmp_path: Path, transactional_db: None) -> None:
    """Files where the workers look for them, leases that soon run out, and a space."""
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.INGESTION_LEASE_SECONDS = 1.0
    space_create(name="test", provider="local", model="angles", dimension=DIMENSION, state="active")


@pytest.fixture
def start_worker(tmp_path: Path) -> Iterator[StartWorker]:
    """Starts workers of two processes each; all are killed in the end."""
    address = urlsplit(os.environ["DATABASE_URL"])
    environment = os.environ | {
        "DATABASE_URL": urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}")),
        "SECONDACT_HOME": str(tmp_path),
        "INGESTION_LEASE_SECONDS": "1",
    }
    command = (sys.executable, "-m", "celery", "-A", "tests.corpus.slow_worker", "worker", "-c", "2", "-l", "WARNING")
    started: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        with (tmp_path / f"worker-{len(started)}.log").open("wb") as log:
            started.append(
                subprocess.Popen([*command, *quiet], env=environment, stdout=log, stderr=log, start_new_session=True)
            )
        return started[-1]

    yield start
    for worker in started:
        kill(worker)


def kill(worker: "subprocess.Popen[bytes]") -> None:
    """Kill a worker with its pool, as a machine that goes down does."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def until(condition: Callable[[], object], *, seconds: float = 45) -> None:
    """Return when the condition holds; fail when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, list(Ingestion.objects.values_list("state", "done", "total", "attempts"))
        time.sleep(0.05)


def state(ingestion: Ingestion) -> str:
    ingestion.refresh_from_db()
    return ingestion.state


def test_many_uploads_and_one_that_is_delivered_again_and_again_are_each_read_in_once(
    start_worker: StartWorker,
) -> None:
    start_worker()
    start_worker()

    big = file_give(document_make("Big"), BIG, publish=True)
    small = [file_give(document_make(f"Small {number}"), f"Text {number}.") for number in range(49)]
    until(lambda: state(big) == "embedding")
    for _ in range(4):
        current_app.send_task("corpus.tasks.ingest", args=[str(big.pk)])
    until(lambda: not Ingestion.objects.exclude(state="live").exists())

    assert state(big) == "live"
    assert big.attempts == 1
    assert Chunk.objects.filter(document=big.document).count() == PARTS
    assert Chunk.objects.count() == PARTS + len(small)


def test_a_killed_workers_file_is_read_to_its_end_by_another(start_worker: StartWorker) -> None:
    document = document_make("Big")
    worker = start_worker()
    ingestion = file_give(document, BIG, publish=True)
    until(lambda: state(ingestion) == "embedding" and ingestion.done > 0)

    kill(worker)
    assert not Chunk.objects.exists()
    until(lambda: ingestions_sweep() == [ingestion.pk])
    done = Ingestion.objects.get().done
    start_worker()
    until(lambda: state(ingestion) == "live")

    assert done > 0
    assert ingestion.attempts == 2
    assert list(document.chunks.values_list("ordinal", flat=True)) == list(range(PARTS))


def test_a_killed_process_of_the_pool_loses_nothing(start_worker: StartWorker) -> None:
    document = document_make("Big")
    worker = start_worker()
    ingestion = file_give(document, BIG, publish=True)
    until(lambda: state(ingestion) == "embedding" and ingestion.done > 0)

    for process in psutil.Process(worker.pid).children():
        process.kill()
    until(lambda: ingestions_sweep() == [ingestion.pk])
    until(lambda: state(ingestion) == "live")

    assert worker.poll() is None
    assert ingestion.attempts == 2
    assert document.chunks.count() == PARTS


def test_a_document_deleted_under_a_worker_is_gone(start_worker: StartWorker) -> None:
    document = document_make("Big")
    start_worker()
    ingestion = file_give(document, BIG, publish=True)
    until(lambda: state(ingestion) == "embedding" and ingestion.done > 0)

    document_delete(document=document)
    later = file_give(document_make("Later"), "Text.")
    until(lambda: state(later) == "live")

    assert list(Document.objects.values_list("title", flat=True)) == ["Later"]
    assert Chunk.objects.count() == 1
