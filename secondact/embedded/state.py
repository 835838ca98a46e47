"""What stays the same for the life of a home folder: ports, passwords, the key.

It stands in `$SECONDACT_HOME/services.json`, readable by its owner only. `secondact.env` reads the addresses from it,
so that every command in another terminal finds the servers.
"""

import json
import os
import secrets
import socket
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from secondact.embedded.errors import EmbeddedError

# Below the range from which systems take the ports of outgoing connections, so that ours stay free while we are away.
PORTS = range(20000, 30000)


@dataclass(frozen=True, slots=True)
class Services:
    """The content of services.json; an address is empty when the environment names another server."""

    secret_key: str
    postgres_port: int
    postgres_password: str
    postgres_data: str
    redis_port: int
    redis_password: str
    database_url: str = ""
    redis_url: str = ""
    neo4j_port: int = 0
    neo4j_password: str = ""
    neo4j_uri: str = ""


def services_path(home: Path) -> Path:
    """Where services.json of a home folder is."""
    return home / "services.json"


def services_load(home: Path) -> Services | None:
    """What an earlier start wrote, or None."""
    path = services_path(home)
    try:
        found = json.loads(path.read_text())
        return Services(**{field.name: found[field.name] for field in fields(Services) if field.name in found})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EmbeddedError(
            f"{path} cannot be read ({error}); it holds the passwords of the data beside it."
        ) from error


def services_ensure(
    home: Path, *, own_postgres: bool = True, own_redis: bool = True, own_neo4j: bool = False
) -> Services:
    """The services of a home folder, made at the first start; only the servers of our own have an address."""
    services = services_load(home) or _services_new()
    postgres = f"postgres://secondact:{services.postgres_password}@127.0.0.1:{services.postgres_port}/secondact"
    redis = f"redis://:{services.redis_password}@127.0.0.1:{services.redis_port}/0"
    current = replace(services, database_url=postgres if own_postgres else "", redis_url=redis if own_redis else "")
    current = _with_neo4j(current) if own_neo4j else replace(current, neo4j_uri="")
    if current != services:
        services_write(home, current)
    return current


def _with_neo4j(services: Services) -> Services:
    """With the address of a Neo4j, whose port and password are given when it is first wanted."""
    port = services.neo4j_port or free_port(taken=(services.postgres_port, services.redis_port))
    password = services.neo4j_password or secrets.token_urlsafe(24)
    return replace(services, neo4j_port=port, neo4j_password=password, neo4j_uri=f"bolt://127.0.0.1:{port}")


def services_postgres_data(home: Path, services: Services, data: Path) -> None:
    """Remember where the data of Postgres is; within the home as a path that moves with it."""
    place = str(data.relative_to(home)) if data.is_relative_to(home) else str(data)
    if place != services.postgres_data:
        services_write(home, replace(services, postgres_data=place))


def services_write(home: Path, services: Services) -> None:
    """Write services.json so that it is whole or not there, and closed to others from its first moment."""
    path = services_path(home)
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(services), file, indent=2)
    partial.replace(path)


def _services_new() -> Services:
    postgres_port = free_port()
    redis_port = free_port(taken=(postgres_port,))
    return Services(
        secret_key=secrets.token_urlsafe(64),
        postgres_port=postgres_port,
        postgres_password=secrets.token_urlsafe(24),
        postgres_data="",
        redis_port=redis_port,
        redis_password=secrets.token_urlsafe(24),
    )


def free_port(*, taken: Collection[int] = ()) -> int:
    """A port of the loopback interface that nobody listens on."""
    for _ in range(200):
        port = secrets.choice(PORTS)
        if port not in taken and not port_is_taken(port):
            return port
    raise EmbeddedError("No free port was found between 20000 and 30000 on 127.0.0.1.")


def port_is_taken(port: int, host: str = "127.0.0.1") -> bool:
    """Whether somebody listens on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False
