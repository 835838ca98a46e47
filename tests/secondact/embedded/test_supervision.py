import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from secondact.embedded.processes import Record, process_of, record_read
from secondact.embedded.supervision import Program, Supervision
from secondact.env import ROOT
from tests.secondact.conftest import until

# Writes its name into a file at SIGTERM, so that the order of the end can be seen.
NOTED = """
import signal, sys, time
def note(*_):
    open(sys.argv[2], "a").write(sys.argv[1] + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, note)
open(sys.argv[3], "w").close()
time.sleep(600)
"""


@pytest.fixture
def supervision(tmp_path: Path) -> Iterator[Supervision]:
    # A long path with blanks, as people have them.
    made = Supervision(tmp_path / "a home with blanks" / ("deep" * 20), ROOT)
    made.home.mkdir(parents=True)
    yield made
    made.end_left_over(programs(made))


def programs(supervision: Supervision) -> list[Program]:
    notes, script = supervision.home / "notes", supervision.home / "noted.py"
    script.write_text(NOTED)
    python = [sys.executable, str(script)]
    return [
        Program(name, [*python, name, str(notes), str(supervision.home / f"{name}.up")], first=first)
        for name, first in (("store", True), ("web", False))
    ]


def up(supervision: Supervision, name: str) -> bool:
    return (supervision.home / f"{name}.up").exists() and supervision.alive(name)


def record_of(supervision: Supervision, name: str) -> Record:
    record = record_read(supervision.record(name))
    assert record is not None
    return record


def test_what_dies_is_started_again_and_the_end_has_an_order(supervision: Supervision) -> None:
    process = supervision.start(programs(supervision))
    until(lambda: up(supervision, "store") and supervision.answers())
    assert not supervision.alive("web"), "it waits for its turn"
    supervision.program_start("web")
    until(lambda: up(supervision, "web"))
    killed = record_of(supervision, "web")
    (supervision.home / "web.up").unlink()
    os.kill(killed.pid, signal.SIGKILL)
    until(lambda: up(supervision, "web") and record_of(supervision, "web") != killed)
    assert supervision.end_left_over(programs(supervision))
    assert process.wait(timeout=60) is not None
    assert (supervision.home / "notes").read_text().split() == ["web", "store"]


def test_what_a_killed_supervisor_left_alive_is_ended_at_the_next_start(supervision: Supervision) -> None:
    process = supervision.start(programs(supervision))
    until(lambda: up(supervision, "store"))
    orphan = record_of(supervision, "store")
    process.kill()
    process.wait()
    assert process_of(orphan) is not None
    assert supervision.end_left_over(programs(supervision))
    assert process_of(orphan) is None
    assert not supervision.end_left_over(programs(supervision))
