"""Signing up, confirming an address and getting a new password over the API, as an app does it."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from journeys.models import Invitation, Member
from journeys.services import invitation_revoke, invitation_send, invitations_create, member_create
from journeys.tokens import token_of

APP = "/_allauth/app/v1/"
EMAIL, PASSWORD = "new@example.org", "quite-a-long-one-7"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def open_to_all(settings: Settings) -> None:
    settings.SIGNUP = "open"


def call(path: str, body: dict[str, str], token: str = "", method: str = "post") -> Any:
    """Each call from a client of its own: an app keeps no cookies."""
    headers = {"X-Session-Token": token} if token else {}
    return getattr(Client(), method)(APP + path, body, content_type="application/json", headers=headers)


def sign_up(**more: str) -> Any:
    return call("auth/signup", {"email": EMAIL, "password": PASSWORD, **more})


def key_in_mail() -> str:
    """The last part of the address in the latest mail."""
    found = re.search(r"/(?:confirm-email|password/reset/key)/([^/\s]+)/", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def invited(email: str = EMAIL) -> Invitation:
    return invitations_create(addresses=[email], invited_by=None).new[0]


def test_an_account_is_signed_in_once_its_address_is_confirmed() -> None:
    begun = sign_up()
    assert begun.status_code == 401
    assert {"id": "verify_email", "is_pending": True} in begun.json()["data"]["flows"]
    token = begun.json()["meta"]["session_token"]
    assert Client().get("/api/v1/me", headers={"X-Session-Token": token}).status_code == 401
    confirmed = call("auth/email/verify", {"key": key_in_mail()}, token)
    assert confirmed.status_code == 200
    signed_in = confirmed.json()["meta"]["session_token"]
    assert Client().get("/api/v1/me", headers={"X-Session-Token": signed_in}).json()["email"] == EMAIL


def test_before_that_nobody_signs_in_and_the_mail_comes_again() -> None:
    sign_up()
    answer = call("auth/login", {"email": EMAIL, "password": PASSWORD})
    assert answer.status_code == 401
    assert {"id": "verify_email", "is_pending": True} in answer.json()["data"]["flows"]
    assert [sent.to for sent in mail.outbox] == [[EMAIL], [EMAIL]]


def test_an_address_that_has_an_account_gets_the_same_answer_and_another_mail() -> None:
    first, second = sign_up().json(), sign_up().json()
    for answer in (first, second):
        answer["meta"].pop("session_token")
    assert first == second
    assert mail.outbox[1].subject == "You have an account"
    assert Member.objects.filter(email=EMAIL).count() == 1


@pytest.mark.parametrize(("signup", "words"), [("closed", "at the moment"), ("invite", "with an invitation")])
def test_whoever_may_not_sign_up_is_told_why(settings: Settings, signup: str, words: str) -> None:
    settings.SIGNUP = signup
    answer = sign_up(invitation="made-up")
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["code"] == "signup_closed"
    assert words in answer.json()["errors"][0]["message"]
    assert not Member.objects.exists()


def test_an_invitation_makes_one_account_with_its_address_confirmed(settings: Settings) -> None:
    settings.SIGNUP = "invite"
    invitation = invited()
    answer = sign_up(invitation=token_of(invitation))
    assert answer.status_code == 200
    assert mail.outbox == []
    token = answer.json()["meta"]["session_token"]
    assert Client().get("/api/v1/me", headers={"X-Session-Token": token}).json()["email"] == EMAIL
    invitation.refresh_from_db()
    assert (invitation.state, invitation.member) == (Invitation.State.ACCEPTED, Member.objects.get())
    assert sign_up(invitation=token_of(invitation), email="more@example.org").status_code == 403


def test_an_invitation_is_for_its_address_alone(settings: Settings) -> None:
    settings.SIGNUP = "invite"
    answer = sign_up(invitation=token_of(invited("other@example.org")))
    assert (answer.status_code, answer.json()["errors"][0]["param"]) == (400, "email")
    assert not Member.objects.exists()


def test_a_revoked_invitation_makes_no_account(settings: Settings) -> None:
    settings.SIGNUP = "invite"
    invitation = invited()
    invitation_revoke(invitation_id=invitation.pk)
    assert sign_up(invitation=token_of(invitation)).status_code == 403


@pytest.mark.parametrize("invitation", ["x" * 5_000, "é", "a.b.c", "\ud83d\ude00"])
def test_a_made_up_invitation_is_none(settings: Settings, invitation: str) -> None:
    settings.SIGNUP = "invite"
    assert sign_up(invitation=invitation).status_code == 403


@pytest.mark.parametrize("invited_before", [False, True])
def test_where_no_mail_can_be_sent_nothing_is_made_and_the_same_call_works_later(
    settings: Settings, invited_before: bool
) -> None:
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", 1
    if invited_before:
        member_create(email=EMAIL, password=PASSWORD)
    answer = sign_up()
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.json()["errors"][0]["code"] == "mail_unavailable"
    assert Member.objects.exists() is invited_before
    settings.EMAIL_BACKEND = working
    assert sign_up().status_code == 401
    assert [sent.to for sent in mail.outbox] == [[EMAIL]]


def test_asking_for_a_new_password_says_the_same_of_every_address(member: Member) -> None:
    known = call("auth/password/request", {"email": member.email})
    unknown = call("auth/password/request", {"email": "nobody@example.org"})
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (200, b'{"status": 200}')
    assert [sent.subject for sent in mail.outbox] == ["A new password", "No account with this address"]


def test_without_a_mail_server_that_says_so_of_every_address_alike(member: Member, settings: Settings) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", 1
    known = call("auth/password/request", {"email": member.email})
    unknown = call("auth/password/request", {"email": "nobody@example.org"})
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    assert known.status_code == 503


def test_a_new_password_is_set_with_the_key_of_the_mail_once(member: Member) -> None:
    old = call("auth/login", {"email": member.email, "password": "a-long-enough-one"}).json()["meta"]["session_token"]
    call("auth/password/request", {"email": member.email})
    key = key_in_mail()
    assert call("auth/password/reset", {"key": key, "password": "short"}).status_code == 400
    assert call("auth/password/reset", {"key": key, "password": PASSWORD}).status_code == 401
    assert call("auth/password/reset", {"key": key, "password": PASSWORD}).status_code == 400
    assert call("auth/login", {"email": member.email, "password": PASSWORD}).status_code == 200
    assert Client().get("/api/v1/me", headers={"X-Session-Token": old}).status_code == 401
    assert mail.outbox[-1].subject == "Your password was changed"


def test_changing_the_password_ends_every_other_sign_in(member: Member) -> None:
    first, second = (
        call("auth/login", {"email": member.email, "password": "a-long-enough-one"}).json()["meta"] for _ in range(2)
    )
    body = {"current_password": "a-long-enough-one", "new_password": PASSWORD}
    changed = call("account/password/change", body, first["session_token"])
    assert changed.status_code == 200
    kept = changed.json()["meta"].get("session_token", first["session_token"])
    assert Client().get("/api/v1/me", headers={"X-Session-Token": kept}).status_code == 200
    for header in (
        {"X-Session-Token": second["session_token"]},
        {"Authorization": f"Bearer {second['access_token']}"},
    ):
        assert Client().get("/api/v1/me", headers=header).status_code == 401
    refreshed = call("tokens/refresh", {"refresh_token": second["refresh_token"]})
    assert refreshed.status_code in (400, 401)


def test_a_new_address_counts_once_it_is_confirmed(member: Member) -> None:
    token = call("auth/login", {"email": member.email, "password": "a-long-enough-one"}).json()["meta"]["session_token"]
    assert call("account/email", {"email": "moved@example.org"}, token).status_code == 200
    member.refresh_from_db()
    assert member.email == "ada@example.org"
    assert call("auth/email/verify", {"key": key_in_mail()}, token).status_code == 200
    member.refresh_from_db()
    assert member.email == "moved@example.org"
    assert mail.outbox[-1].to == ["ada@example.org"]
    assert mail.outbox[-1].subject == "Your address was changed"


def test_an_address_of_another_member_can_never_be_taken(member: Member, other: Member) -> None:
    token = call("auth/login", {"email": member.email, "password": "a-long-enough-one"}).json()["meta"]["session_token"]
    assert call("account/email", {"email": other.email}, token).status_code == 200
    assert call("auth/email/verify", {"key": key_in_mail()}, token).status_code == 400
    assert set(Member.objects.values_list("email", flat=True)) == {"ada@example.org", "bea@example.org"}


def test_a_sign_up_that_was_never_confirmed_does_not_keep_an_address_from_its_owner(member: Member) -> None:
    sign_up()
    token = call("auth/login", {"email": member.email, "password": "a-long-enough-one"}).json()["meta"]["session_token"]
    call("account/email", {"email": EMAIL}, token)
    assert call("auth/email/verify", {"key": key_in_mail()}, token).status_code == 200
    assert list(Member.objects.values_list("email", flat=True)) == [EMAIL]


def test_a_closed_account_is_told_so_with_the_right_password_only(member: Member) -> None:
    Member.objects.update(is_active=False)
    right = call("auth/login", {"email": member.email, "password": "a-long-enough-one"})
    assert (right.status_code, right.json()["errors"][0]["code"]) == (403, "account_inactive")
    assert call("auth/login", {"email": member.email, "password": "wrong"}).status_code == 400
    call("auth/password/request", {"email": member.email})
    assert "password/reset/key" not in str(mail.outbox[-1].body)


def test_asking_too_often_is_a_429() -> None:
    codes = [call("auth/password/request", {"email": EMAIL}).status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]


def test_the_mail_of_an_invitation_holds_the_token(
    settings: Settings,
) -> None:
    settings.SIGNUP = "invite"
    invitation = invited()
    invitation_send(invitation_id=invitation.pk)
    found = re.search(r"/accounts/invitation/([^/\s]+)/", str(mail.outbox[0].body))
    assert found is not None
    assert sign_up(invitation=found[1]).status_code == 200
