"""The account pages in Chromium: from the invitation's mail to the first conversation, and how they look."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiosmtpd.controller import Controller
from django.conf.global_settings import PASSWORD_HASHERS
from pytest_django import Settings

from journeys import services
from journeys.models import Invitation
from journeys.tokens import token_of
from secondact.embedded.state import free_port
from secondact.env import ROOT
from tests.axe import axe_violations
from tests.chat.conftest import ARGUMENTS, CHROMIUM, Desk
from tests.screenshots import shoot
from tests.secondact.conftest import Served, until
from tests.secondact.test_mail import Post

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests").expect
pytestmark = [
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"{CHROMIUM} is not there: no browser tests"),
    pytest.mark.django_db(transaction=True),
]

EMAIL, MEMBER, PASSWORD = "new@example.org", "ada@example.org", "quite-a-long-one-7"
SIGNED_OUT = {
    "landing": "/",
    "sign-in": "/accounts/login/",
    "sign-up": "/accounts/signup/",
    "reset": "/accounts/password/reset/",
    "reset-sent": "/accounts/password/reset/done/",
    "reset-gone": "/accounts/password/reset/key/1a-b/",
    "reset-done": "/accounts/password/reset/key/done/",
    "confirm-sent": "/accounts/confirm-email/",
    "confirm-gone": "/accounts/confirm-email/made-up/",
    "invitation-gone": "/accounts/invitation/made-up/",
    "inactive": "/accounts/inactive/",
    "not-found": "/nothing/",
}
SIGNED_IN = {
    "account": "/accounts/",
    "password": "/accounts/password/change/",
    "address": "/accounts/email/",
    "sign-out": "/accounts/logout/",
    "reauthenticate": "/accounts/reauthenticate/",
}
SMALL_TARGETS = """[...document.querySelectorAll('main button, main a.button, main input:not([type=hidden])')]
    .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)"""


@dataclass
class House:
    """A browser, a server of its own, and the mail server it hands its mail to."""

    desk: Desk
    post: Post
    invitation: Invitation

    def latest(self, address: str) -> str:
        """The link in the latest mail to this address."""
        until(lambda: any(address in to for to, _ in self.post.taken))
        text = [text for to, text in self.post.taken if address in to][-1]
        found = re.search(r"http://\S+/accounts/\S+", text)
        assert found is not None
        return found[0]


@pytest.fixture
def house(
    played: Callable[..., Served], settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[House]:
    """Everything at work, an invitation sent, and nobody signed in. The test's parameter is SIGNUP."""
    from playwright.sync_api import sync_playwright

    post = Post(free_port())
    controller = Controller(post, hostname="127.0.0.1", port=post.port)
    controller.start()
    shutil.copytree(ROOT / "static", tmp_path / "static")
    mail = {"EMAIL_URL": f"smtp://127.0.0.1:{post.port}", "DEFAULT_FROM_EMAIL": "hello@example.org"}
    served = played(SECONDACT_HOME=str(tmp_path), SIGNUP=request.param, **mail)
    until(lambda: served.process.poll() is not None or served.status("/readyz") == 200)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.SITE_URL = "127.0.0.1", post.port, served.address
    # The server's own: it knows none of the quick ones of the tests.
    settings.PASSWORD_HASHERS = PASSWORD_HASHERS
    services.stages_load()
    services.member_create(email=MEMBER, password=PASSWORD)
    invitation = services.invitations_create(addresses=[EMAIL], invited_by=None).new[0]
    services.invitation_send(invitation_id=invitation.pk)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        desk = Desk(browser.new_context().new_page(), browser, served)
        desk.watch(desk.page)
        yield House(desk, post, invitation)
        browser.close()
    controller.stop()


@pytest.mark.parametrize("house", ["invite"], indirect=True)
def test_an_invited_person_comes_from_the_mail_to_their_conversations(house: House) -> None:
    page = house.desk.page
    page.goto(house.latest(EMAIL))
    expect(page.get_by_label("Email")).to_have_value(EMAIL)
    expect(page.get_by_label("Email")).to_be_disabled()
    assert token_of(house.invitation) not in page.url
    page.keyboard.press("Tab")
    page.get_by_label("Password", exact=True).focus()
    page.keyboard.type("short")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("alert").get_by_role("link").first.press("Enter")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    for label in ("Password", "Password (again)"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/")
    expect(page.locator("#question")).to_be_visible()
    page.goto(house.latest(EMAIL))
    expect(page.get_by_role("heading", name="You are signed in")).to_be_visible()
    assert house.desk.complaints == []


@pytest.mark.parametrize("house", ["open"], indirect=True)
def test_somebody_signs_up_confirms_and_later_gets_a_new_password(house: House) -> None:
    page, address = house.desk.page, house.desk.served.address
    page.goto(f"{address}/accounts/login/")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Email").fill("eve@example.org")
    for label in ("Password", "Password (again)"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    page.goto(house.latest("eve@example.org"))
    page.get_by_role("button", name="Yes, confirm it").click()
    page.wait_for_url("**/chat/")
    page.goto(f"{address}/accounts/logout/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("status")).to_have_text("You are signed out.")
    page.goto(f"{address}/accounts/login/")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill("eve@example.org")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    page.goto(house.latest("eve@example.org"))
    for label in ("New Password", "New Password (again)"):
        page.get_by_label(label, exact=True).fill("another-long-one-9")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("heading", name="Your password is changed")).to_be_visible()
    assert house.desk.complaints == []


@pytest.mark.parametrize("house", ["open"], indirect=True)
def test_every_page_can_be_used_by_everybody_on_every_screen(house: House) -> None:
    page, address = house.desk.page, house.desk.served.address
    faults: list[str] = []
    for name, path in SIGNED_OUT.items():
        page.goto(address + path)
        faults += _faults(page, name)
    page.goto(house.latest(EMAIL))
    faults += _faults(page, "sign-up-invited")
    page.get_by_role("button", name="Create the account").click()
    faults += _faults(page, "sign-up-wrong")
    page.goto(f"{address}/accounts/login/")
    page.get_by_label("Email").fill(MEMBER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/chat/")
    for name, path in SIGNED_IN.items():
        page.goto(address + path)
        faults += _faults(page, name)
    page.goto(house.latest(EMAIL))
    faults += _faults(page, "invitation-signed-in")
    assert faults == []
    # The browser itself says when an address answers 403, 404, 410.
    assert [said for said in house.desk.complaints if "Failed to load resource" not in said] == []


def _faults(page: "Page", name: str) -> list[str]:
    found = []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            shoot(page, f"account-{name}", whole=True)
            found += [f"{name} {width} {scheme}: {fault}" for fault in axe_violations(page)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} {width}: wider than the screen")
        found += [f"{name} {width}: smaller than 44 px: {each}" for each in page.evaluate(SMALL_TARGETS)]
    return found
