"""Whether the servers that a command needs are named and answer, asked before the command begins."""

import socket
from urllib.parse import urlsplit

import psycopg

from secondact.env import SettingError, Settings

# Commands that do without Postgres and Redis, and those that wait for them in their own way.
WITHOUT_SERVERS = frozenset(
    ["", "up", "help", "check", "makemigrations", "collectstatic", "spectacular", "diffsettings", "version"]
)
WAITING = frozenset(["serve"])
CONNECT_SECONDS = 3.0
DEFAULT_PORTS = {"postgres": 5432, "postgresql": 5432, "redis": 6379, "rediss": 6379}


def servers_ready(settings: Settings, command: str) -> None:
    """Raise SettingError unless the servers that the command needs are named and, if it does not wait, answer."""
    if command in WITHOUT_SERVERS or command.startswith("-"):
        return
    addresses_named(settings)
    if command in WAITING:
        return
    for name, url in (("DATABASE_URL", settings.database_url), ("REDIS_URL", settings.redis_url)):
        if not _answers(url):
            advice = "start make run" if settings.embedded else f"look at {name}"
            raise SettingError(f"Nothing answers at the address of {name} ({_place(url)}); {advice}.")
    if refusal := _refusal(settings.database_url):
        raise SettingError(f"The database of DATABASE_URL ({_place(settings.database_url)}) refuses us: {refusal}")


def addresses_named(settings: Settings) -> None:
    """Raise SettingError unless both servers have an address."""
    for name, url in (("DATABASE_URL", settings.database_url), ("REDIS_URL", settings.redis_url)):
        if not url:
            raise SettingError(f"{name} is not set and no server of our own has been started; start make run.")


def _place(url: str) -> str:
    """The address without its password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or DEFAULT_PORTS[parts.scheme]}" if parts.hostname else parts.path


def _answers(url: str) -> bool:
    parts = urlsplit(url)
    if not parts.hostname:
        return True  # a socket file: the first query tells
    try:
        address = (parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme])
        with socket.create_connection(address, timeout=CONNECT_SECONDS):
            return True
    except OSError:
        return False


def _refusal(database_url: str) -> str:
    """What Postgres says when it does not let us in, such as a wrong password or name; empty when it does."""
    try:
        psycopg.connect(database_url, connect_timeout=int(CONNECT_SECONDS)).close()
    except psycopg.OperationalError as error:
        return str(error).strip().rpartition("FATAL:")[2].strip()
    return ""
