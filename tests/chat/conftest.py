"""A browser on a server of its own. One of each serves many tests: they take longer to start than the tests take."""

import os
import re
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest
from django.conf import settings as django_settings
from django.contrib import admin
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from corpus.models import Chunk, Document
from journeys import services
from journeys.models import Member
from secondact.embedded.state import free_port
from secondact.env import ROOT
from tests.chat.chromium import ARGUMENTS as ARGUMENTS  # others import them from here
from tests.chat.chromium import CHROMIUM as CHROMIUM
from tests.chat.played_turns import CHUNK, DOCUMENT, FOLLOWING, OTHER_QUOTE, QUOTE
from tests.secondact.conftest import Served, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Error, Page, Request

LIMIT_MS = 60_000
EMAIL, PASSWORD = "member@example.org", "a-long-password"


@dataclass
class Desk:
    """A signed-in member's browser, and whatever the page complained of or asked from elsewhere."""

    page: "Page"
    browser: "Browser"
    served: Served
    session: str = ""
    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def release(self) -> None:
        """Let slow answers go on."""
        self.served.process.send_signal(signal.SIGUSR1)

    def ask(self, question: str) -> None:
        """Type a question and ask it by keyboard."""
        self.page.fill("#question", question)
        self.page.keyboard.press("Enter")

    def expect_complaint(self, pattern: str) -> None:
        """A complaint that belongs to this test; any other one fails it."""
        self.expected.append(pattern)

    def unexpected(self) -> list[str]:
        """Complaints that no test has announced."""
        return [said for said in self.complaints if not any(re.search(each, said) for each in self.expected)]

    def context(self, **options: Any) -> "BrowserContext":
        """Another device of the same member."""
        context = self.browser.new_context(**options)
        context.add_cookies([{"name": "sessionid", "value": self.session, "url": self.served.address}])
        return context

    def open(self, context: "BrowserContext", path: str = "/chat/") -> "Page":
        """A watched page of this context."""
        page = self.watch(context.new_page())
        page.goto(self.served.address + path)
        return page

    def api(self, path: str) -> Any:
        """What the API answers this member."""
        address = f"{self.served.address}/api/v1/{path}"
        return httpx.get(address, cookies={"sessionid": self.session}, timeout=20).raise_for_status().json()

    def watch(self, page: "Page") -> "Page":
        """Note what this page complains of."""
        page.set_default_timeout(LIMIT_MS)
        page.on("console", self._said)
        page.on("pageerror", self._broke)
        page.on("dialog", self._opened)
        page.on("request", self._asked)
        return page

    def _said(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _broke(self, error: "Error") -> None:
        self.complaints.append(str(error))

    def _opened(self, dialog: "Dialog") -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: "Request") -> None:
        if not request.url.startswith((f"{self.served.address}/", "data:")):
            self.complaints.append(f"asked {request.url}")


@pytest.fixture
def member(transactional_db: None) -> Member:
    """Who signs in, and the document that citations open."""
    document = Document.objects.create(
        id=DOCUMENT,
        title="Disrupt You",
        creator="Jay Samit",
        authority="primary",
        content_type="book_chapter",
        status="published",
    )
    # A source names its first chunk; what it quotes may stand in the next.
    texts = {CHUNK: f"It is said: {QUOTE} So begin.", FOLLOWING: f"And another: {OTHER_QUOTE}"}
    for ordinal, (public_id, text) in enumerate(texts.items()):
        Chunk.objects.create(
            public_id=public_id,
            document=document,
            ordinal=ordinal,
            heading_path=["Part one"],
            locator={"chapter": str(3 + ordinal)},
            text=text,
            content_hash=str(ordinal) * 64,
            embed_hash=str(ordinal) * 64,
            tokens=7,
        )
    services.stages_load()
    return services.member_create(email=EMAIL, password=PASSWORD)


def session_of(member: Member) -> str:
    """The key of a session in which this member has signed in."""
    session = SessionStore()
    session[SESSION_KEY] = str(member.pk)
    session[BACKEND_SESSION_KEY] = django_settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = member.get_session_auth_hash()
    session.save()
    return str(session.session_key)


@pytest.fixture(scope="session")
def browser_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The web server with played turns."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(ROOT / "static", home / "static")
    shutil.copytree(Path(admin.__file__).parent / "static", home / "static", dirs_exist_ok=True)
    at = connection.settings_dict
    environ = {
        "DATABASE_URL": f"postgres://{at['USER']}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
        "SECRET_KEY": django_settings.SECRET_KEY,
        "REDIS_PREFIX": uuid.uuid4().hex,
        "SECONDACT_HOME": str(home),
    }
    port = free_port()
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.chat.browser_server", str(port)],
            cwd=ROOT,
            env=os.environ | environ,
            stderr=log,
            text=True,
        )
    served = Served(process, port, home / "server.log")
    try:
        until(lambda: process.poll() is not None or served.status("/readyz") == 200, 300)
        assert process.poll() is None
        yield served
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """A browser for the tests of a module.

    Its loop runs in this thread: until it is closed no test can run one of its own, and Django has to be told that its
    database calls block nobody.
    """
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"{CHROMIUM} is not there: no browser tests")
    from playwright.sync_api import expect, sync_playwright

    # The limits are only there for what is broken.
    expect.set_options(timeout=LIMIT_MS)
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as started:
        patched.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def desk(browser_server: Served, member: Member, chromium: "Browser") -> Iterator[Desk]:
    """A browser in which the member has signed in; the test fails if its pages complained of anything."""
    desk = Desk(None, chromium, browser_server, session_of(member))  # type: ignore[arg-type]
    context = desk.context()
    desk.page = desk.open(context)
    yield desk
    for each in chromium.contexts:
        each.close()
    assert desk.unexpected() == [], browser_server.troubles
