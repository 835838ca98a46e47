"""The account pages as people go through them."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from journeys.models import Invitation, Member
from journeys.services import invitation_resend, invitation_revoke, invitations_create, member_active_set, member_create
from journeys.tokens import token_of

EMAIL, PASSWORD = "new@example.org", "quite-a-long-one-7"
SIGN_UP = "/accounts/signup/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Member:
    return member_create(email="ada@example.org", password=PASSWORD)


def sign_up(client: Client, **more: str) -> Any:
    return client.post(SIGN_UP, {"email": EMAIL, "password1": PASSWORD, "password2": PASSWORD, **more})


def sign_in(client: Client, email: str = EMAIL) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": PASSWORD})


def link_in_mail() -> str:
    found = re.search(r"http://testserver(/accounts/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def invited(email: str = EMAIL) -> Invitation:
    return invitations_create(addresses=[email], invited_by=None).new[0]


def link(invitation: Invitation) -> str:
    return f"/accounts/invitation/{token_of(invitation)}/"


def test_an_open_sign_up_ends_in_the_chat_once_the_address_is_confirmed(client: Client, settings: Settings) -> None:
    settings.SIGNUP = "open"
    assert sign_up(client)["location"] == "/accounts/confirm-email/"
    assert client.get("/chat/").status_code == 302
    page = link_in_mail()
    assert "Confirm your address" in client.get(page).content.decode()
    assert not Member.objects.filter(emailaddress__verified=True).exists()
    assert client.post(page)["location"] == "/chat/"
    assert client.get("/chat/").status_code == 200


def test_a_link_opened_elsewhere_confirms_and_leads_to_the_sign_in(client: Client, settings: Settings) -> None:
    settings.SIGNUP = "open"
    sign_up(client)
    elsewhere = Client()
    assert elsewhere.post(link_in_mail())["location"] == "/accounts/login/"
    assert sign_in(elsewhere)["location"] == "/chat/"


def test_sign_up_answers_alike_for_an_address_with_an_account(member: Member, settings: Settings) -> None:
    settings.SIGNUP = "open"
    new, known = sign_up(Client()), sign_up(Client(), email=member.email)
    assert (new.status_code, new["location"]) == (known.status_code, known["location"])
    assert {sent.subject for sent in mail.outbox} == {"Please confirm your address", "You have an account"}


@pytest.mark.parametrize(("signup", "words"), [("closed", "at the moment"), ("invite", "with an invitation")])
def test_whoever_may_not_sign_up_is_told_why(client: Client, settings: Settings, signup: str, words: str) -> None:
    settings.SIGNUP = signup
    for answer in (client.get(SIGN_UP), sign_up(client)):
        assert answer.status_code == 403
        assert words in answer.content.decode()
    assert not Member.objects.exists()


@pytest.mark.parametrize(("signup", "shown"), [("closed", False), ("invite", False), ("open", True)])
def test_the_sign_in_page_offers_an_account_only_where_one_can_be_made(
    client: Client, settings: Settings, signup: str, shown: bool
) -> None:
    settings.SIGNUP = signup
    assert ("Create an account" in client.get("/accounts/login/").content.decode()) is shown


@pytest.mark.parametrize("embedded", [False, True])
def test_demo_sign_ins_are_shown_on_a_computer_of_ones_own_alone(
    client: Client, settings: Settings, embedded: bool
) -> None:
    settings.EMBEDDED = embedded
    assert ("member@example.org" in client.get("/accounts/login/").content.decode()) is embedded


@pytest.mark.parametrize("signup", ["invite", "open"])
def test_an_invitation_makes_an_account_that_needs_no_confirmation(
    client: Client, settings: Settings, signup: str
) -> None:
    settings.SIGNUP = signup
    invitation = invited()
    assert client.get(link(invitation))["location"] == SIGN_UP
    assert f'value="{EMAIL}"' in client.get(SIGN_UP).content.decode()
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.WAITING
    # The address is the invited one, whatever the request says.
    answer = client.post(
        f"{SIGN_UP}?email=x@example.org", {"email": "y@example.org", "password1": PASSWORD, "password2": PASSWORD}
    )
    assert answer["location"] == "/chat/"
    assert mail.outbox == []
    assert Member.objects.get().email == EMAIL
    invitation.refresh_from_db()
    assert invitation.member == Member.objects.get()
    gone = Client().get(link(invitation))
    assert (gone.status_code, "was accepted" in gone.content.decode()) == (410, True)


def test_links_that_are_over_say_so(client: Client, settings: Settings) -> None:
    settings.SIGNUP = "invite"
    renewed, revoked, late = invited("a@example.org"), invited("b@example.org"), invited("c@example.org")
    old = [link(renewed), link(revoked), link(late), "/accounts/invitation/made-up/"]
    invitation_resend(invitation_id=renewed.pk)
    invitation_revoke(invitation_id=revoked.pk)
    Invitation.objects.filter(pk=late.pk).update(expires_at=late.created_at)
    for address in old:
        answer = client.get(address)
        assert (answer.status_code, "does not work any more" in answer.content.decode()) == (410, True)
    assert client.get(SIGN_UP).status_code == 403


def test_an_invitation_opened_before_it_was_revoked_makes_no_account(client: Client, settings: Settings) -> None:
    settings.SIGNUP = "invite"
    invitation = invited()
    client.get(link(invitation))
    invitation_revoke(invitation_id=invitation.pk)
    assert sign_up(client).status_code == 403
    assert not Member.objects.exists()


def test_while_sign_up_is_closed_an_invitation_waits(client: Client, settings: Settings) -> None:
    invitation = invited()
    settings.SIGNUP = "closed"
    assert client.get(link(invitation)).status_code == 403
    settings.SIGNUP = "invite"
    assert client.get(link(invitation)).status_code == 302


def test_a_new_password_by_mail_ends_every_sign_in(client: Client, member: Member) -> None:
    signed_in = Client()
    sign_in(signed_in, member.email)
    for email in (member.email, "nobody@example.org"):
        assert (
            client.post("/accounts/password/reset/", {"email": email})["location"] == "/accounts/password/reset/done/"
        )
    assert [sent.subject for sent in mail.outbox] == ["A new password", "No account with this address"]
    mail.outbox.pop()
    form = client.get(link_in_mail(), follow=True)
    address = form.redirect_chain[-1][0]
    done = client.post(address, {"password1": "another-long-one-9", "password2": "another-long-one-9"})
    assert done["location"] == "/accounts/password/reset/key/done/"
    assert signed_in.get("/chat/").status_code == 302
    used = client.get(link_in_mail() if mail.outbox[-1].subject == "A new password" else address, follow=True)
    assert "does not work any more" in used.content.decode()


def test_a_changed_password_leaves_only_this_sign_in(client: Client, member: Member) -> None:
    other = Client()
    for each in (client, other):
        sign_in(each, member.email)
    changes = {"oldpassword": PASSWORD, "password1": "another-long-one-9", "password2": "another-long-one-9"}
    assert client.post("/accounts/password/change/", changes).status_code == 302
    assert (client.get("/chat/").status_code, other.get("/chat/").status_code) == (200, 302)


def test_a_closed_account_says_so_and_is_signed_out(client: Client, member: Member) -> None:
    sign_in(client, member.email)
    member_active_set(member_id=member.pk, active=False)
    assert client.get("/chat/").status_code == 302
    answer = client.post("/accounts/login/", {"login": member.email, "password": PASSWORD}, follow=True)
    assert "This account is closed" in answer.content.decode()
    wrong = client.post("/accounts/login/", {"login": member.email, "password": "wrong"})
    assert "closed" not in wrong.content.decode()


def test_what_is_wrong_stands_above_the_form_and_at_its_field(client: Client, settings: Settings) -> None:
    settings.SIGNUP = "open"
    page = sign_up(client, password2="another").content.decode()
    assert '<a href="#id_password2">' in page
    assert re.search(r'<input[^>]*name="password2"[^>]*aria-invalid="true"', page)
    assert re.search(r'<input[^>]*name="password2"[^>]*aria-describedby="[^"]*id_password2_error', page)
    assert 'id="id_password2_error"' in page


def test_too_many_tries_get_a_page_that_says_so(client: Client) -> None:
    answers = [client.post("/accounts/password/reset/", {"email": EMAIL}) for _ in range(6)]
    assert answers[-1].status_code == 429
    assert "Too many tries" in answers[-1].content.decode()


@pytest.mark.parametrize("address", ["/accounts/3rdparty/", "/accounts/social/signup/", "/accounts/2fa/", "/nothing/"])
def test_addresses_that_are_not_used_say_that_nothing_is_there(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


def test_the_browsers_own_question_for_an_icon_is_answered(client: Client) -> None:
    assert client.get("/favicon.ico")["location"] == "/static/secondact/favicon.png"


def test_the_account_page_leads_to_what_can_be_changed(client: Client, member: Member) -> None:
    assert client.get("/accounts/")["location"] == "/accounts/login/?next=/accounts/"
    client.force_login(member)
    page = client.get("/accounts/").content.decode()
    for address in ("/accounts/password/change/", "/accounts/email/", "/accounts/logout/"):
        assert address in page
