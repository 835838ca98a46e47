"""The picture of the graph in a browser, under the site's own content security policy."""

import re
from pathlib import Path

import pytest

from corpus.models import Chunk, Concept, Relationship, RelationshipKind
from journeys.models import Member
from journeys.services import editors_group
from tests.chat.conftest import CHROMIUM, Desk, browser_server, chromium, desk, member

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"{CHROMIUM} is not there: no browser tests")
__all__ = ["browser_server", "chromium", "desk", "member"]


@pytest.fixture
def hub(member: Member) -> Concept:
    """A concept with many neighbours, the strongest proved; the member is an editor too."""
    member.is_staff = True
    member.save()
    member.groups.add(editors_group())
    kind = RelationshipKind.objects.create(slug="helps", label="helps with")
    hub = Concept.objects.create(name="<b>Hub</b>")
    proof = Chunk.objects.get(ordinal=0)
    around = Concept.objects.bulk_create(Concept(name=f"Neighbour {number:03}") for number in range(60))
    Relationship.objects.bulk_create(
        Relationship(source=hub, target=one, kind=kind, weight=10 if not number else 5, proof=proof)
        for number, one in enumerate(around)
    )
    Relationship.objects.create(source=around[0], target=around[59], kind=kind)
    return hub


def test_the_picture_is_drawn_walked_and_read_by_keyboard_without_a_complaint(hub: Concept, desk: Desk) -> None:
    page = desk.page
    page.goto(f"{desk.served.address}/admin/corpus/concept/{hub.pk}/change/")
    status, rows = page.locator("#graph-status"), page.locator("#graph-rows tr")
    expect(status).to_have_text("“<b>Hub</b>”: 40 of 60 neighbours shown. 20 more.")
    expect(page.locator("#graph-picture canvas").first).to_be_visible()
    expect(rows).to_have_count(40)
    page.get_by_role("button", name="Neighbour 000").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("“Neighbour 000”: 2 of 2 neighbours shown.")
    # What leads to the new neighbour, and what it has to do with the hub.
    expect(rows).to_have_count(42)
    rows.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/admin/corpus/chunk/\d+/change/"))
    assert [text for text in desk.complaints if "404" not in text] == []
