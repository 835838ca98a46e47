"""A Neo4j in a process of its own, run from its jars by Neo4jServer.java, which needs no compiling."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import GraphUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_writer import neo4j_writer
from secondact.embedded.errors import EmbeddedError

SOURCE = Path(__file__).with_name("Neo4jServer.java")
# Neo4j reaches into these packages of Java itself.
OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


@dataclass(frozen=True, slots=True)
class Neo4j:
    """A server that can be started; `parent` is a process with which it is to end."""

    java: Path
    jars: Path
    data: Path
    run: Path
    port: int
    password: str
    parent: int = 0

    @property
    def address(self) -> GraphAddress:
        """Where it is reached."""
        return GraphAddress(f"bolt://127.0.0.1:{self.port}", "neo4j", self.password)

    @property
    def argv(self) -> list[str]:
        """The server as a foreground process."""
        opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
        memory = ["-Xms64m", "-Xmx512m", "-XX:+UseSerialGC"]
        return [str(self.java), *memory, *opened, "-cp", f"{self.jars}/*", str(SOURCE), str(self._configuration)]

    @property
    def _configuration(self) -> Path:
        return self.run / "neo4j.properties"

    def initialise(self) -> None:
        """Write the configuration, which holds the password and is therefore closed to others."""
        for folder in (self.data, self.run):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = self.run / "neo4j.conf"
        settings.write_text(
            "server.bolt.enabled=true\n"
            f"server.bolt.listen_address=127.0.0.1:{self.port}\n"
            "dbms.security.auth_enabled=true\n"
            # Whoever waits for it asks before its password is set. Ours are too long to be found by trying.
            "dbms.security.auth_max_failed_attempts=0\n"
            "server.memory.pagecache.size=64m\n"
            "db.logs.query.enabled=OFF\n"
            "db.tx_log.rotation.retention_policy=2 files\n"
            "dbms.usage_report.enabled=false\n"
        )
        wanted = {"data": self.data, "settings": settings, "password": self.password, "parent": self.parent or ""}
        self._configuration.unlink(missing_ok=True)
        with os.fdopen(os.open(self._configuration, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            # A backslash and what is not ASCII are written as Java reads them.
            file.writelines(f"{name}={json.dumps(str(value))[1:-1]}\n" for name, value in wanted.items())

    def wait(self, *, alive: Callable[[], bool], seconds: float = 300.0) -> None:
        """Wait until the server answers to its password."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                with neo4j_writer(self.address) as writer:
                    writer.server()
                    return
            except GraphUnavailable as error:
                if not alive():
                    raise EmbeddedError("Neo4j did not start; its log says why.") from error
                if time.monotonic() > deadline:
                    raise EmbeddedError(f"Neo4j did not start: {error.__cause__}") from error
            time.sleep(0.2)
