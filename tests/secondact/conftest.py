"""Servers in processes of their own, on the test's database."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from django.conf import settings as django_settings
from django.db import connection

from journeys import services
from journeys.models import Conversation, Member
from secondact.embedded.state import free_port
from secondact.env import ROOT


def until(found: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for a condition; the limit is only there for what is broken."""
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.02)


async def sent_by(application: Callable[..., Awaitable[None]], **scope: object) -> list[dict[str, Any]]:
    """What an ASGI application sends in answer to a request without a body."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b""}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application({"type": "http", "method": "GET", "headers": []} | scope, receive, send)
    return sent


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A folder that others may pass through; pytest's own are closed, and Postgres of root runs as another."""
    folder = Path(tempfile.mkdtemp(prefix="secondact-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@dataclass
class Served:
    """A web server of its own and its address."""

    process: subprocess.Popen[str]
    port: int
    log: Path | None = None

    @property
    def troubles(self) -> str:
        """What it has logged of faults, for whoever has to find out why a test failed."""
        lines = self.log.read_text(errors="replace").splitlines() if self.log else []
        return "\n".join(line for line in lines if '"level": "INFO"' not in line)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def status(self, path: str) -> int:
        """What a GET answers; 0 while nobody listens."""
        with suppress(httpx.TransportError):
            return httpx.get(self.address + path, timeout=20).status_code
        return 0


@pytest.fixture
def played(transactional_db: None) -> Iterator[Callable[..., Served]]:
    """Starts tests.secondact.played_server on the test's database; more of its environment by keyword."""
    started = []

    def start(port: int = 0, **environ: str) -> Served:
        at = connection.settings_dict
        database = f"postgres://{at['USER']}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{at['NAME']}"
        shared = {"DATABASE_URL": database, "SECRET_KEY": django_settings.SECRET_KEY, "REDIS_PREFIX": uuid.uuid4().hex}
        port = port or free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.secondact.played_server", str(port)],
            cwd=ROOT,
            env=os.environ | shared | environ,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return Served(process, port)

    yield start
    for process in started:
        process.kill()
        process.communicate()


@dataclass
class Asker:
    """A signed-in member with a conversation."""

    conversation: Conversation
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"x-session-token": self.token}


@pytest.fixture
def asker(transactional_db: None) -> Asker:
    """A member whose session every process knows."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    services.stages_load()
    member: Member = services.member_create(email="asker@example.org", password="a-long-password")
    session = SessionStore()
    session[SESSION_KEY] = str(member.pk)
    session[BACKEND_SESSION_KEY] = django_settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = member.get_session_auth_hash()
    session.save()
    return Asker(services.conversation_create(member=member), str(session.session_key))
