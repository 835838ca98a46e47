"""One Neo4j for all tests of a run, started by the first that needs it, in whichever worker of pytest-xdist that is.

NEO4J_TEST_URI (with NEO4J_TEST_USER and NEO4J_TEST_PASSWORD) names a server that is running already. Where there is
none and none can be started, what needs it is skipped with the reason; with NEO4J_REQUIRED=1, as in continuous
integration, it fails.
"""

import fcntl
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from corpus.graph.address import GraphAddress
from secondact.embedded.errors import EmbeddedError
from secondact.embedded.neo4j import Neo4j
from secondact.embedded.neo4j_jars import jars_ensure, java_find
from secondact.embedded.processes import end, record_read
from secondact.embedded.state import free_port
from secondact.env import ROOT, load

PASSWORD = "tests-of-neo4j"
_started: list["subprocess.Popen[bytes]"] = []


def neo4j_needed() -> GraphAddress:
    """The address of a Neo4j that answers; skips the test, or fails it, where there is none."""
    return _address()


def neo4j_missing(reason: str) -> NoReturn:
    """Skip a test that needs Neo4j, or what Neo4j needs; fail it where skipping is not wanted."""
    if os.environ.get("NEO4J_REQUIRED") == "1":
        pytest.fail(f"needs Neo4j: {reason}")
    pytest.skip(f"needs Neo4j: {reason}")


def neo4j_end(home: Path) -> None:
    """End the server of a run, if one was started."""
    if record := record_read(_record(home)):
        end(record, patience=20)


def neo4j_told(line: str) -> None:
    """Have a line printed at the end of the run, whichever worker it comes from."""
    with (Path(os.environ["SECONDACT_HOME"]) / "neo4j-told.txt").open("a") as file:
        file.write(line + "\n")


def neo4j_summary() -> list[str]:
    """The lines to be printed at the end of the run."""
    told = Path(os.environ["SECONDACT_HOME"]) / "neo4j-told.txt"
    return sorted(told.read_text().splitlines()) if told.exists() else []


@cache
def _address() -> GraphAddress:
    if uri := os.environ.get("NEO4J_TEST_URI"):
        user, password = (os.environ.get(f"NEO4J_TEST_{name}", "") for name in ("USER", "PASSWORD"))
        return GraphAddress(uri, user or "neo4j", password)
    home = Path(os.environ["SECONDACT_HOME"])
    # One worker starts it, the others wait and find it; one that could not be started is not tried again.
    with (home / "neo4j.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = home / "neo4j.json"
        if not told.exists():
            told.write_text(json.dumps(_start(home)))
        found = json.loads(told.read_text())
    if "missing" in found:
        neo4j_missing(found["missing"])
    return GraphAddress(found["uri"], "neo4j", PASSWORD)


def _start(home: Path) -> dict[str, str]:
    try:
        java, jars = java_find(), jars_ensure(load().neo4j_jars, say=lambda said: print(said, file=sys.__stderr__))
    except EmbeddedError as error:
        return {"missing": str(error)}
    # It ends with the process that runs the tests, also when that is killed.
    parent = int(os.environ["SECONDACT_TESTS_PID"])
    server = Neo4j(java, jars, home / "neo4j", home / "run", free_port(), PASSWORD, parent)
    server.initialise()
    launch = [sys.executable, "-m", "secondact.embedded.program", str(_record(home)), "TERM", "--", *server.argv]
    with (home / "neo4j.log").open("wb") as log:
        process = subprocess.Popen(launch, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
    _started.append(process)
    server.wait(alive=lambda: process.poll() is None)
    return {"uri": server.address.uri}


def _record(home: Path) -> Path:
    return home / "run" / "neo4j.json"
