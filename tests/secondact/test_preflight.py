import dataclasses
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from secondact import env
from secondact.env import SettingError, Settings
from secondact.preflight import servers_ready


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def settings_at(tmp_path: Path, port: int, redis_port: int) -> Settings:
    return env.load(
        {
            "SECONDACT_HOME": str(tmp_path),
            "SECONDACT_EMBEDDED": "1",
            "DATABASE_URL": f"postgres://a:secret@127.0.0.1:{port}/b",
            "REDIS_URL": f"redis://:secret@127.0.0.1:{redis_port}/0",
        }
    )


def test_a_command_begins_when_both_servers_answer(tmp_path: Path, listening: int) -> None:
    settings = settings_at(tmp_path, listening, listening)
    servers_ready(dataclasses.replace(settings, database_url=os.environ["DATABASE_URL"]), "migrate")


def test_a_database_that_is_not_there_is_told_in_the_words_of_the_server(tmp_path: Path, listening: int) -> None:
    elsewhere = os.environ["DATABASE_URL"].rpartition("/")[0] + "/no_such_database"
    settings = dataclasses.replace(settings_at(tmp_path, listening, listening), database_url=elsewhere)
    with pytest.raises(SettingError, match=r"refuses us: .*no_such_database"):
        servers_ready(settings, "ingest")


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path, listening: int) -> None:
    with pytest.raises(SettingError, match=r"REDIS_URL \(127.0.0.1:1\); start make run\.$") as told:
        servers_ready(settings_at(tmp_path, listening, 1), "migrate")
    assert "secret" not in str(told.value)


def test_a_production_command_is_told_to_look_at_the_setting(tmp_path: Path, listening: int) -> None:
    settings = dataclasses.replace(settings_at(tmp_path, 1, listening), embedded=False)
    with pytest.raises(SettingError, match="look at DATABASE_URL"):
        servers_ready(settings, "ingest")


@pytest.mark.parametrize("command", ["check", "up", "help", "--version", ""])
def test_a_command_that_needs_no_server_asks_none(tmp_path: Path, command: str) -> None:
    servers_ready(env.load({"SECONDACT_HOME": str(tmp_path)}), command)
