import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from secondact.embedded.processes import Record, end, group_of, own_record, process_of, record_read, record_write
from tests.secondact.conftest import until

SLEEPER = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
)
WITH_CHILD = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]); time.sleep(600)"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def start(started: list[subprocess.Popen[bytes]], program: str) -> Record:
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True)
    started.append(process)
    return Record(process.pid, psutil.Process(process.pid).create_time())


def test_a_record_is_read_back(tmp_path: Path) -> None:
    record_write(tmp_path / "run" / "web.json", own_record())
    assert record_read(tmp_path / "run" / "web.json") == own_record()


@pytest.mark.parametrize("content", ["", "{", "{}", '{"pid": "x", "started": 1}', "[]", "null"])
def test_half_a_record_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "web.json").write_text(content)
    assert record_read(tmp_path / "web.json") is None


def test_a_pid_that_now_belongs_to_another_process_is_not_ours() -> None:
    ours = own_record()
    stale = Record(ours.pid, ours.started - 60)
    assert (process_of(stale), group_of(stale), end(stale)) == (None, [], False)


def test_a_process_that_ended_is_none(started: list[subprocess.Popen[bytes]]) -> None:
    record = start(started, "")
    started[0].wait()
    assert (process_of(record), end(record)) == (None, False)


def test_a_process_is_ended_with_its_signal(started: list[subprocess.Popen[bytes]]) -> None:
    record = start(started, SLEEPER)
    assert end(record, stop_signal=signal.SIGINT)
    assert process_of(record) is None


def test_a_process_that_does_not_listen_is_killed(started: list[subprocess.Popen[bytes]]) -> None:
    record = start(started, STUBBORN)
    assert started[0].stdout is not None
    started[0].stdout.readline()
    assert end(record, patience=0.2)
    assert process_of(record) is None


def test_what_a_killed_leader_left_of_its_group_is_ended_too(started: list[subprocess.Popen[bytes]]) -> None:
    record = start(started, WITH_CHILD)
    until(lambda: len(group_of(record)) == 2)
    os.kill(record.pid, signal.SIGKILL)
    started[0].wait()
    assert len(group_of(record)) == 1
    assert end(record, patience=5)
    assert group_of(record) == []
