"""A Postgres of the benchmarks' own, of the binaries the product starts, and one database a library on it.

Its folder is kept, so that a library is written once; `--work` says where it is. With `--database URL` another server
is used: the role must be allowed to create databases.
"""

import argparse
import atexit
import ctypes
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from django.core.management import call_command
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql

from secondact.embedded.account import account_for
from secondact.embedded.postgres import Postgres
from secondact.embedded.postgres_place import postgres_binaries, postgres_place
from secondact.embedded.state import services_ensure
from secondact.settings import ENV

_PR_SET_PDEATHSIG = 1
# What an installation of this size would be given; everything measured on it has the same.
_SETTINGS = {"shared_buffers": "1GB", "maintenance_work_mem": "1GB", "max_wal_size": "4GB"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options every benchmark with a database has."""
    parser.add_argument("--work", type=Path, default=ENV.home / "benchmarks", help="folder for databases and vectors")
    parser.add_argument("--database", default="", help="URL of a Postgres to use instead of one of our own")


@contextmanager
def server(work: Path, url: str = "") -> Iterator[str]:
    """The URL of a running server, without a database; one of our own ends with the block."""
    if url:
        yield url.rsplit("/", 1)[0]
        return
    work.mkdir(parents=True, exist_ok=True)
    work.chmod(0o711)
    services = services_ensure(work)
    data = postgres_place(work, "", say=print)
    account = account_for(data)
    binaries = postgres_binaries(work, account, say=print)
    postgres = Postgres(binaries, data, services.postgres_port, services.postgres_password, account)
    postgres.initialise()
    with (work / "postgres.log").open("wb") as log:
        drop = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        process = subprocess.Popen(  # type: ignore[call-overload]
            [*postgres.argv, *settings], cwd="/", stdout=log, stderr=log, preexec_fn=_end_with_parent, **drop
        )
        try:
            postgres.wait(alive=lambda: process.poll() is None)
            yield services.database_url.rsplit("/", 1)[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _end_with_parent() -> None:
    """Ask Linux to end the server even when we are killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


def database_use(server_url: str, name: str) -> bool:
    """Point Django at a database of this server, made and migrated where it is not there. Whether it was made."""
    with psycopg.connect(f"{server_url}/postgres", autocommit=True) as admin:
        made = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None
        if made:
            admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    address = urlsplit(server_url)
    _disconnect()
    connections["default"].settings_dict.update(
        NAME=name, HOST=address.hostname, PORT=address.port, USER=address.username, PASSWORD=address.password
    )
    if made:
        call_command("migrate", verbosity=0)
    return made


def database_drop(server_url: str, name: str) -> None:
    """Remove a database that was not filled to its end."""
    _disconnect()
    with psycopg.connect(f"{server_url}/postgres", autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _disconnect() -> None:
    """Close this thread's connection and Django's pool, which would keep the database's name."""
    current = connections["default"]
    current.close()
    if isinstance(current, DatabaseWrapper):
        current.close_pool()


# Benchmarks end by returning; the pool must be closed before the server goes.
atexit.register(_disconnect)
