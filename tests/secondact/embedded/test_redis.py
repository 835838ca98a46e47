import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from secondact.embedded.redis import Redis, redis_binary
from secondact.embedded.state import free_port


@pytest.fixture
def server(tmp_path: Path) -> Redis:
    made = Redis(redis_binary(), tmp_path / "a folder", tmp_path / "run" / "redis.conf", free_port(), "secret")
    made.initialise()
    return made


@contextmanager
def running(server: Redis) -> Iterator[redis.Redis]:
    """The server until it is killed without warning."""
    with (
        subprocess.Popen(server.argv, stdout=subprocess.DEVNULL) as process,
        redis.Redis(port=server.port, password=server.password) as client,
    ):
        server.wait(alive=lambda: process.poll() is None)
        yield client
        process.kill()


def test_what_was_queued_is_there_after_a_kill(server: Redis) -> None:
    with running(server) as client:
        client.lpush("celery", "task")
    with running(server) as client:
        assert client.lrange("celery", 0, -1) == [b"task"]


def test_nobody_comes_in_without_the_password(server: Redis) -> None:
    with running(server), redis.Redis(port=server.port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_only_its_owner_may_read_the_password(server: Redis) -> None:
    assert stat.S_IMODE(server.configuration.stat().st_mode) == 0o600
    assert "secret" not in " ".join(server.argv)
