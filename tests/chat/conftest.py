"""A browser on a server of its own."""

import os
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from django.conf import settings as django_settings
from django.db import connection

from corpus.models import Chunk, Document
from journeys import services
from journeys.models import Member
from secondact.embedded.state import free_port
from secondact.env import ROOT
from tests.chat.browser_server import CHUNK, DOCUMENT, QUOTE
from tests.secondact.conftest import Served, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
EMAIL, PASSWORD = "member@example.org", "a-long-password"


@dataclass
class Desk:
    """A signed-in member's browser, and whatever the page complained of or asked from elsewhere."""

    page: "Page"
    browser: "Browser"
    served: Served
    complaints: list[str] = field(default_factory=list)

    def release(self) -> None:
        """Let slow answers go on."""
        self.served.process.send_signal(signal.SIGUSR1)

    def ask(self, question: str) -> None:
        """Type a question and ask it by keyboard."""
        self.page.fill("#question", question)
        self.page.keyboard.press("Enter")

    def watch(self, page: "Page") -> "Page":
        """Note what this page complains of."""
        page.set_default_timeout(20_000)
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
    Chunk.objects.create(
        public_id=CHUNK,
        document=document,
        ordinal=0,
        heading_path=["Part one"],
        locator={"chapter": "3"},
        text=f"It is said: {QUOTE} So begin.",
        content_hash="0" * 64,
        embed_hash="0" * 64,
        tokens=7,
    )
    services.stages_load()
    return services.member_create(email=EMAIL, password=PASSWORD)


@pytest.fixture(scope="module")
def browser_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The web server with played turns, one for all tests: it takes longer to start than they take."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(ROOT / "static", home / "static")
    at = connection.settings_dict
    environ = {
        "DATABASE_URL": f"postgres://{at['USER']}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
        "SECRET_KEY": django_settings.SECRET_KEY,
        "REDIS_PREFIX": uuid.uuid4().hex,
        "SECONDACT_HOME": str(home),
    }
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.chat.browser_server", str(port)],
        cwd=ROOT,
        env=os.environ | environ,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    served = Served(process, port)
    try:
        until(lambda: process.poll() is not None or served.status("/readyz") == 200)
        assert process.poll() is None
        yield served
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def desk(browser_server: Served, member: Member) -> Iterator[Desk]:
    """A browser in which the member has signed in."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        desk = Desk(browser.new_context().new_page(), browser, browser_server)
        desk.watch(desk.page)
        desk.page.goto(f"{browser_server.address}/chat/")
        desk.page.fill("[name=login]", EMAIL)
        desk.page.fill("[name=password]", PASSWORD)
        desk.page.click("main button")
        desk.page.wait_for_url("**/chat/")
        yield desk
        browser.close()
