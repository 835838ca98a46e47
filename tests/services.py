"""A pytest plugin: own Postgres and Redis servers for the tests, unless DATABASE_URL and REDIS_URL name others.

A Neo4j is started by the first test that needs one; see tests/neo4j_server.py.

It is loaded before Django's settings are read. The controller starts the servers once; the workers of pytest-xdist
inherit their addresses through the environment.
"""

import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from secondact.embedded.account import Account, account_for
from secondact.embedded.postgres import Postgres
from secondact.embedded.postgres_place import postgres_binaries, postgres_place
from secondact.embedded.redis import Redis, redis_binary
from secondact.embedded.state import services_ensure
from secondact.env import ROOT
from tests.neo4j_server import neo4j_end, neo4j_summary

PR_SET_PDEATHSIG = 1
# Where binaries have to be copied, one copy serves all tests and `make run`.
DEFAULT_HOME = ROOT / ".data"
_running = ExitStack()
# Not a hook of pytest: a start that fails half-way reaches none.
atexit.register(_running.close)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, None, None]:
    """Set the environment of the tests; a wrapper, so that it runs before pytest-django reads the settings."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker:
        _environment_set()
    # Keys and channel groups of one worker are never seen by another.
    os.environ["REDIS_PREFIX"] = f"secondact-test-{worker or 'gw'}"
    yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which Neo4j the tests ran on, and what both stores were found to agree on."""
    for line in neo4j_summary():
        terminalreporter.write_line(line)


def _environment_set() -> None:
    home = Path(tempfile.mkdtemp(prefix="secondact-tests-"))
    home.chmod(0o711)
    _running.callback(shutil.rmtree, home, ignore_errors=True)
    os.environ["SECONDACT_HOME"] = str(home)
    _running.callback(neo4j_end, home)
    os.environ["SECONDACT_TESTS_PID"] = str(os.getpid())
    os.environ["SECONDACT_EMBEDDED"] = "1"
    os.environ["SECRET_KEY"] = "tests-" * 10
    for name in ("ALLOWED_HOSTS", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        os.environ.pop(name, None)
    # The product under test asks the record, unless a test says otherwise; NEO4J_TEST_URI names a server for those.
    os.environ.pop("NEO4J_URI", None)
    services = services_ensure(home)
    if not os.environ.get("REDIS_URL"):
        server = Redis(
            binary=redis_binary(),
            data=home / "redis",
            configuration=home / "run" / "redis.conf",
            port=services.redis_port,
            password=services.redis_password,
            durable=False,
        )
        server.initialise()
        process = _start(home, server.argv, account=None, stop=signal.SIGTERM)
        server.wait(alive=lambda: process.poll() is None)
        os.environ["REDIS_URL"] = services.redis_url
    if not os.environ.get("DATABASE_URL"):
        _postgres_start(home, port=services.postgres_port, password=services.postgres_password)
        os.environ["DATABASE_URL"] = services.database_url


def _postgres_start(home: Path, *, port: int, password: str) -> None:
    said: Callable[[str], None] = lambda sentence: None  # noqa: E731  (the signature of say)
    data = postgres_place(home, "", say=said)
    account = account_for(data)
    server = Postgres(
        binaries=postgres_binaries(DEFAULT_HOME, account, say=said),
        data=data,
        port=port,
        password=password,
        account=account,
        durable=False,
    )
    server.initialise()
    process = _start(home, server.argv, account=account, stop=signal.SIGINT)
    server.wait(alive=lambda: process.poll() is None)


def _start(home: Path, argv: list[str], *, account: Account | None, stop: signal.Signals) -> subprocess.Popen[bytes]:
    log = _running.enter_context((home / f"{Path(argv[0]).name}.log").open("wb"))
    drop = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
        argv, cwd="/", stdout=log, stderr=log, start_new_session=True, preexec_fn=lambda: _end_with_parent(stop), **drop
    )
    _running.callback(process.wait)
    _running.callback(process.send_signal, stop)
    return process


def _end_with_parent(stop: signal.Signals) -> None:
    """Ask Linux to stop the server even when the tests are killed; elsewhere it stays behind then."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, stop)
