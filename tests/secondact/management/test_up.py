import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from secondact.embedded.postgres_place import open_place
from secondact.embedded.processes import process_of, record_read
from secondact.embedded.state import free_port, services_load
from secondact.env import ROOT
from tests.secondact.conftest import until

NAMES = ("supervisor", "postgres", "redis", "web", "worker", "beat")


@pytest.fixture
def home(open_path: Path) -> Iterator[Path]:
    yield open_path / "home"
    shutil.rmtree(open_place(open_path / "home"), ignore_errors=True)
    for name in NAMES:
        record = record_read(open_path / "home" / "run" / f"{name}.json")
        if record and (process := process_of(record)):
            process.kill()


def environ(home: Path, port: int) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"SECONDACT_HOME": str(home), "PORT": str(port)}


def manage(home: Path, port: int, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=environ(home, port), capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@contextmanager
def up(home: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """`manage.py up`, once it says that it is ready."""
    with subprocess.Popen(
        [sys.executable, "manage.py", "up", "--no-samples"],
        cwd=ROOT, env=environ(home, port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "Ctrl-C" in line:
                break
        else:
            raise AssertionError("".join(said))
        yield process


def database(home: Path) -> psycopg.Connection:
    services = services_load(home)
    assert services is not None
    return psycopg.connect(services.database_url)


def pids(home: Path) -> dict[str, int]:
    found = {name: record_read(home / "run" / f"{name}.json") for name in NAMES}
    return {name: record.pid for name, record in found.items() if record and process_of(record)}


def test_it_ends_in_order_heals_and_finds_everything_again(home: Path) -> None:
    port = free_port()
    with up(home, port) as process:
        assert set(pids(home)) == set(NAMES)
        assert (
            manage(home, port, "up").stderr
            == f"CommandError: It is running already in another terminal, with {home}.\n"
        )
        first = pids(home)
        with database(home) as connection:
            connection.execute("CREATE TABLE kept AS SELECT email FROM journeys_member")
        os.kill(first["web"], signal.SIGKILL)
        os.kill(first["worker"], signal.SIGKILL)
        until(lambda: set(pids(home)) == set(NAMES) and pids(home)["worker"] != first["worker"])
        # Then all at once, as a machine loses its power.
        for pid in (process.pid, *pids(home).values()):
            os.kill(pid, signal.SIGKILL)
        process.wait()
    services = services_load(home)
    with up(home, port) as process:
        assert services_load(home) == services
        with database(home) as connection:
            kept = connection.execute("SELECT email FROM kept ORDER BY email").fetchall()
        assert kept == [("editor@example.org",), ("member@example.org",)]
        process.terminate()
        assert process.wait(timeout=120) == 0
    assert pids(home) == {}
    left = [each for each in psutil.process_iter() if str(home) in " ".join(_command(each))]
    assert left == []
    assert manage(home, port, "migrate").stderr.endswith("start make run.\n")


def test_a_port_that_is_taken_is_one_sentence(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = manage(home, taken.getsockname()[1], "up")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "PORT" in ended.stderr


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []
