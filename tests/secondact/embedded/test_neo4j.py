import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.errors import GraphUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_writer import Neo4jWriter, neo4j_writer
from secondact.embedded import startup
from secondact.embedded.errors import EmbeddedError
from secondact.embedded.neo4j import Neo4j
from secondact.embedded.neo4j_jars import VERSION, jars_ensure, java_find
from secondact.embedded.postgres import Postgres
from secondact.embedded.redis import Redis
from secondact.embedded.state import free_port
from secondact.env import load
from tests.neo4j_server import neo4j_missing


def server_of(folder: Path, java: Path = Path("java"), jars: Path = Path("lib")) -> Neo4j:
    return Neo4j(java, jars, folder / "a store", folder / "run", free_port(), 'secret"\\päss')


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_only_its_owner_may_read_the_password(tmp_path: Path) -> None:
    server = server_of(tmp_path)
    server.initialise()
    configuration = Path(server.argv[-1])
    assert stat.S_IMODE(configuration.stat().st_mode) == 0o600
    assert "secret" not in " ".join(server.argv)
    assert "secret" not in (tmp_path / "run" / "neo4j.conf").read_text()


def test_a_missing_java_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(EmbeddedError, match=r"^Neo4j needs Java 17 or newer, and there is no java on the path\.$"):
        java_find()


def test_an_old_java_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(EmbeddedError, match=r"java is 11\.$"):
        java_find()


def test_a_missing_maven_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedError, match=r"^The parts of Neo4j are fetched by Maven, and there is no mvn"):
        jars_ensure(tmp_path / "jars", say=print)


def test_a_maven_that_fails_leaves_nothing_and_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "mvn", "echo '[ERROR] no such host'; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(EmbeddedError, match="no such host"):
        jars_ensure(tmp_path / "jars", say=print)
    assert not (tmp_path / "jars" / VERSION).exists()


def test_jars_are_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = '-DoutputDirectory=*) mkdir -p "${part#*=}"; echo jar > "${part#*=}/a.jar";;'
    program(tmp_path / "mvn", f'for part; do case "$part" in {store} esac; done')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    said: list[str] = []
    jars = jars_ensure(tmp_path / "jars", say=said.append)
    assert [path.name for path in jars.iterdir()] == ["a.jar"]
    assert jars_ensure(tmp_path / "jars", say=said.append) == jars
    assert len(said) == 1
    assert {path.name for path in (tmp_path / "jars").iterdir()} == {VERSION, "lock"}


def test_it_starts_after_the_other_servers_and_is_ended_before_them(tmp_path: Path) -> None:
    postgres = Postgres(tmp_path, tmp_path, 1, "x", None)
    redis = Redis(tmp_path, tmp_path, tmp_path / "conf", 2, "x")
    programs = startup.Servers(postgres, redis, server_of(tmp_path)).programs()
    assert [program.name for program in programs] == ["postgres", "redis", "neo4j"]
    assert [program.name for program in startup.server_names()] == ["postgres", "redis", "neo4j"]


@contextmanager
def running(server: Neo4j) -> Iterator[Neo4jWriter]:
    """The server until it is killed without warning."""
    with subprocess.Popen(server.argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            server.wait(alive=lambda: process.poll() is None)
            with neo4j_writer(server.address) as writer:
                yield writer
        finally:
            process.kill()


@pytest.mark.slow
def test_what_was_written_is_there_after_a_kill_and_only_one_process_may_serve_it(tmp_path: Path) -> None:
    try:
        java, jars = java_find(), jars_ensure(load().neo4j_jars, say=print)
    except EmbeddedError as error:
        neo4j_missing(str(error))
    server = server_of(tmp_path, java, jars)
    server.initialise()
    with running(server) as writer:
        writer.begin(generation=1, version=1)
        second = subprocess.run(server.argv, capture_output=True, text=True, check=False, timeout=300)
        assert second.returncode == 1
        assert "did not start" in second.stderr
        stranger = GraphAddress(server.address.uri, "neo4j", "neo4j")
        with neo4j_writer(stranger) as nobody, pytest.raises(GraphUnavailable):
            nobody.server()
    with running(server) as writer:
        writer.write(generation=1, version=2, kind="concept", keys=[1], rows={1: {"id": 1, "name": "a", "aliases": []}})
        assert set(writer.rows_between(generation=1, kind="concept", after=None, until=None)) == {1}
