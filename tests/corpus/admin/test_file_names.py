"""Hostile names of uploaded files: nothing runs where editors see them."""

from pathlib import Path

import pytest

from corpus.models import Document
from journeys.models import Member
from journeys.services import editors_group
from tests.chat.conftest import CHROMIUM, Desk, browser_server, chromium, desk, member
from tests.chat.payloads import PAYLOADS

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"{CHROMIUM} is not there: no browser tests")
__all__ = ["browser_server", "chromium", "desk", "member"]

HOOK = "window.ran = 0; window.hook = () => { window.ran += 1; };"


def test_names_of_files_run_nothing(member: Member, desk: Desk) -> None:
    member.is_staff = True
    member.save()
    member.groups.add(editors_group())
    desk.expect_complaint("404")
    page = desk.page
    page.context.add_init_script(HOOK)
    page.goto(f"{desk.served.address}/admin/corpus/document/upload/")
    named = [
        {"name": f"{payload}.md", "mimeType": "text/markdown", "buffer": f"Text {number}.".encode()}
        for number, payload in enumerate(PAYLOADS)
    ]
    page.set_input_files("[name=uploads]", named)  # type: ignore[arg-type]
    page.select_option("[name=authority]", "supplementary")
    page.select_option("[name=content_type]", "article")
    page.click("[type=submit][value=Upload]")
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(len(named))
    expect(rows.locator("[data-reading]").last).to_be_visible()
    assert page.evaluate("ran") == 0

    page.goto(f"{desk.served.address}/admin/corpus/document/?all=")
    assert page.evaluate("ran") == 0
    hostile = Document.objects.filter(title__contains="onerror").first()
    assert hostile is not None
    page.goto(f"{desk.served.address}/admin/corpus/document/{hostile.pk}/change/")
    expect(page.locator("[name=title]")).to_have_value(hostile.title)
    assert page.evaluate("ran") == 0
