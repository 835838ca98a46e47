import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from secondact import env
from secondact.env import SettingError

KEY = "k3y-" * 20 + "x"


def production(home: Path, **changed: str) -> dict[str, str]:
    named = {
        "SECONDACT_HOME": str(home),
        "DATABASE_URL": "postgres://app:secret@db.example.org:5432/app",
        "REDIS_URL": "redis://redis.example.org:6379/0",
        "SECRET_KEY": KEY,
        "ALLOWED_HOSTS": "app.example.org",
    }
    return {name: value for name, value in (named | changed).items() if value}


def test_a_production_environment_is_read(tmp_path: Path) -> None:
    found = env.load(production(tmp_path))
    assert (found.embedded, found.allowed_hosts, found.proxy_header) == (
        False,
        ("app.example.org",),
        "X-Forwarded-Proto",
    )


def test_an_empty_environment_is_embedded_and_has_no_addresses(tmp_path: Path) -> None:
    found = env.load({"SECONDACT_HOME": str(tmp_path)})
    assert (found.embedded, found.database_url, found.redis_url) == (True, "", "")


def test_addresses_and_key_of_an_embedded_home_come_from_services_json(tmp_path: Path) -> None:
    written = {"database_url": "postgres://a:b@127.0.0.1:1/c", "redis_url": "redis://127.0.0.1:2/0", "secret_key": KEY}
    (tmp_path / "services.json").write_text(json.dumps(written))
    found = env.load({"SECONDACT_HOME": str(tmp_path)})
    assert (found.database_url, found.redis_url, found.secret_key) == tuple(written.values())


def test_a_production_server_takes_nothing_from_a_services_json_that_lies_about(tmp_path: Path) -> None:
    (tmp_path / "services.json").write_text(json.dumps({"secret_key": KEY}))
    with pytest.raises(SettingError, match="SECRET_KEY"):
        env.load(production(tmp_path, SECRET_KEY=""))


def test_models_are_tried_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    found = env.load(production(tmp_path, ANTHROPIC_API_KEY="a-key", CLAUDE_ANSWER_MODELS="one, two"))
    assert (found.anthropic_api_key, found.claude_answer_models) == ("a-key", ("one", "two"))
    assert found.claude_fast_models[0] == "claude-haiku-4-5"
    assert (found.openai_api_key, found.anthropic_base_url) == ("", "")


@pytest.mark.parametrize("name", ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"])
def test_the_address_of_a_provider_is_a_url(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingError, match=name):
        env.load(production(tmp_path, **{name: "gateway.example.org"}))


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_a_production_server_without_a_setting_it_needs_names_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingError, match=rf"^{name} is missing; [^.]+\.$"):
        env.load(production(tmp_path, **{name: ""}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "a" * 80),
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "https://app.example.org"),
        ("CSRF_TRUSTED_ORIGINS", "app.example.org"),
        ("DATABASE_URL", "mysql://db/app"),
        ("DATABASE_URL", "db.example.org"),
        ("REDIS_URL", "http://redis"),
        ("REDIS_URL", "redis://redis:port/0"),
        ("PORT", "http"),
        ("PORT", "0"),
        ("PORT", "80.5"),
        ("PORT", "nan"),
        ("DEBUG", "perhaps"),
        ("SECONDACT_EMBEDDED", "2"),
        ("SIGNUP", "everybody"),
        ("EMAIL_URL", "mail.example.org"),
        ("DEFAULT_FROM_EMAIL", "nobody"),
        ("SITE_URL", "companion.example.org"),
        ("DRAIN_SECONDS", "-1"),
        ("LEASE_SECONDS", "soon"),
        ("LOG_LEVEL", "LOUD"),
        ("PROXY_HEADER", "X Forwarded"),
        ("STORAGE_BACKEND", "no.such.Storage"),
        ("STORAGE_OPTIONS", "[1]"),
        ("STORAGE_OPTIONS", "{"),
        ("HSTS_SECONDS", "x"),
    ],
)
def test_a_wrong_setting_is_one_sentence_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"^{name} [^\n]+\.$"):
        env.load(production(tmp_path, **{name: value}))


@pytest.mark.parametrize("content", ["{", "[]", '"x"'])
def test_a_services_json_that_cannot_be_read_is_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "services.json").write_text(content)
    with pytest.raises(SettingError, match=r"services\.json"):
        env.load({"SECONDACT_HOME": str(tmp_path)})


@pytest.mark.parametrize(
    "command",
    [["manage.py", "check"], ["manage.py", "serve"], ["-m", "celery", "-A", "secondact", "worker"]],
)
def test_every_entry_ends_with_2_and_one_line_when_a_setting_is_wrong(tmp_path: Path, command: list[str]) -> None:
    ended = _run(command, production(tmp_path, PORT="eighty"))
    assert (ended.returncode, ended.stderr) == (2, "PORT must be a number, not 'eighty'.\n")


@pytest.mark.parametrize(
    "command",
    [
        ["manage.py", "migrate"],
        ["manage.py", "serve"],
        ["-m", "celery", "-A", "secondact", "worker"],
        ["-m", "celery", "-A", "secondact", "beat"],
    ],
)
def test_without_servers_every_command_says_start_make_run(tmp_path: Path, command: list[str]) -> None:
    ended = _run(command, {"SECONDACT_HOME": str(tmp_path)})
    assert ended.returncode == 2
    assert ended.stderr.endswith("start make run.\n")
    assert "Traceback" not in ended.stderr


def test_with_production_settings_the_deployment_check_is_clean(tmp_path: Path) -> None:
    ended = _run(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], production(tmp_path))
    assert (ended.returncode, ended.stderr) == (0, "")


def _run(command: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, *command], cwd=env.ROOT, env=clean | environ, capture_output=True, text=True, timeout=60
    )


def test_a_mail_server_needs_a_sender(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"^DEFAULT_FROM_EMAIL is missing;"):
        env.load(production(tmp_path, EMAIL_URL="smtp+tls://mail.example.org"))


def test_links_in_mail_lead_to_the_first_host_unless_an_address_is_named(tmp_path: Path) -> None:
    assert env.load(production(tmp_path)).site_url == "https://app.example.org"
    assert env.load(production(tmp_path, SITE_URL="https://b.example.org/")).site_url == "https://b.example.org"
    assert env.load({"SECONDACT_HOME": str(tmp_path), "PORT": "8123"}).site_url == "http://127.0.0.1:8123"
