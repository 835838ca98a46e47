"""From a file on the editor's desk to a citation on the member's page, all of it in browsers.

No test touches the database while a browser is open: its loop runs in this thread.
"""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import global_settings
from django.conf import settings as django_settings
from pytest_django import Settings

from corpus.services import spaces_ensure
from journeys.services import members_demo, stages_load
from pipeline.help_lines import help_lines_load
from secondact.embedded.state import free_port
from secondact.env import ROOT
from tests.chat.conftest import ARGUMENTS, CHROMIUM
from tests.corpus.admin.library_server import LibraryServer, library_server_start
from tests.screenshots import shoot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

SAMPLES = ROOT.parent / "shared" / "samples"
PASSWORD = "a-long-password"
READING_SECONDS = 900
WIDTHS = (320, 768, 1280)

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect
pytestmark = [
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"{CHROMIUM} is not there: no browser tests"),
    pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"{SAMPLES} is not there: no files to upload"),
]


@dataclass(frozen=True)
class Sample:
    """A file, its title in the library, a question that it answers, and a word that its passage says."""

    file: str
    title: str
    question: str
    says: str


LIGHT = (
    Sample(
        "wikipedia-tsne.html",
        "t-distributed stochastic neighbor embedding",
        "What is t-SNE used for?",
        "t-SNE",
    ),
    Sample(
        "pdkids-public-domain.pdf",
        "PD KIDS",
        "Who found the Moon buried in the bog in the story of the Buried Moon?",
        "Moon",
    ),
)
HEAVY = (
    Sample(
        "childrens-literature.epub",
        "Children's Literature",
        "What happens to the Black Brothers in the King of the Golden River?",
        "Golden River",
    ),
    Sample(
        "trustee-handbook-872p.docx",
        "trustee-handbook-872p",
        "When may a standing trustee be suspended or terminated?",
        "trustee",
    ),
)


@pytest.fixture
def library_server(transactional_db: None, settings: Settings, tmp_path: Path) -> Iterator[LibraryServer]:
    """The product with an editor, a member, and an empty library."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # What the server of its own knows.
    stages_load()
    spaces_ensure()
    help_lines_load()
    members_demo(PASSWORD)
    server = library_server_start(
        home=tmp_path, port=free_port(), redis_prefix=uuid.uuid4().hex, secret_key=django_settings.SECRET_KEY
    )
    yield server
    server.end()


@pytest.fixture
def browser() -> Iterator["Browser"]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def signed_in(context: "BrowserContext", server: LibraryServer, email: str, address: str) -> "Page":
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{server.served.address}/accounts/login/?next={address}")
    page.fill("[name=login]", email)
    page.fill("[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(f"**{address}")
    return page


def complaints_of(page: "Page") -> list[str]:
    """What the page complains of from now on."""
    said: list[str] = []
    # Django's admin names no icon, so that Chromium asks for the usual one.
    page.on(
        "console",
        lambda message: (
            said.append(message.text)
            if message.type in ("error", "warning") and "favicon" not in message.location["url"]
            else None
        ),
    )
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def shoot_at_every_width(page: "Page", name: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            shoot(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(color_scheme="light")


def upload(page: "Page", samples: tuple[Sample, ...]) -> list[str]:
    """Upload them as one, wait until they are read in, and give the addresses of their documents."""
    page.get_by_role("link", name="Upload files").click()
    page.set_input_files("[name=uploads]", [SAMPLES / sample.file for sample in samples])
    page.select_option("[name=authority]", "supplementary")
    page.select_option("[name=content_type]", "article")
    expect(page.locator("[data-reach-chosen]")).to_have_text("Reached by: Exploration, General")
    page.click("[type=submit][value=Upload]")
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(len(samples), timeout=120_000)
    for number, sample in enumerate(samples):
        expect(rows.nth(number)).to_contain_text(sample.title)
        expect(rows.nth(number).locator("[data-reading]")).to_have_text("Live", timeout=READING_SECONDS * 1_000)
    shoot_at_every_width(page, "admin-upload")
    return [str(link.get_attribute("href")) for link in rows.locator("a").all()]


def publish(page: "Page", server: LibraryServer, address: str, sample: Sample) -> None:
    page.goto(server.served.address + address)
    expect(page.locator("[name=title]")).to_have_value(sample.title)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator(".reading .status")).to_have_text("Published")
    shoot_at_every_width(page, f"admin-document-{sample.file}")
    page.get_by_role("link", name="The chunks as they were read").click()
    expect(page.locator(".chunk").first).to_be_visible()
    shoot_at_every_width(page, f"admin-chunks-{sample.file}")


def ask_and_open_the_citation(page: "Page", server: LibraryServer, sample: Sample) -> None:
    page.goto(f"{server.served.address}/chat/")
    page.fill("#question", sample.question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn[aria-busy=false]")).to_be_visible(timeout=120_000)
    page.locator(".cite").first.click()
    source = page.locator("#source")
    expect(source.locator("#source-title")).to_contain_text(sample.title)
    quoted = source.locator("mark").first
    expect(quoted).to_be_visible()
    expect(source.locator(".passage, blockquote").last).to_contain_text(re.compile(re.escape(sample.says)))
    assert quoted.inner_text().strip() in source.inner_text()
    shoot_at_every_width(page, f"source-open-{sample.file}")


def upload_publish_ask(browser: "Browser", server: LibraryServer, samples: tuple[Sample, ...]) -> None:
    editor = signed_in(browser.new_context(), server, "editor@example.org", "/admin/corpus/document/")
    complaints = complaints_of(editor)
    for address, sample in zip(upload(editor, samples), samples, strict=True):
        publish(editor, server, address, sample)
    # What beat has a worker do each minute.
    server.run("shell", "-c", "from corpus.tasks import rebuild_statistics; rebuild_statistics()")

    member = signed_in(browser.new_context(), server, "member@example.org", "/chat/")
    complaints_of_member = complaints_of(member)
    for sample in samples:
        ask_and_open_the_citation(member, server, sample)

    assert complaints == []
    assert complaints_of_member == []


def test_uploaded_files_are_published_asked_about_and_cited_at_their_passage(
    library_server: LibraryServer, browser: "Browser"
) -> None:
    upload_publish_ask(browser, library_server, LIGHT)


@pytest.mark.slow
def test_whole_books_are_published_asked_about_and_cited_at_their_passage(
    library_server: LibraryServer, browser: "Browser"
) -> None:
    upload_publish_ask(browser, library_server, HEAVY)
