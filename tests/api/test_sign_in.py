"""Signing in for a token, using it, signing out."""

from typing import Any

import pytest
from django.test import Client

from journeys.models import Member
from journeys.services import member_create

LOGIN = "/_allauth/app/v1/auth/login"
SESSION = "/_allauth/app/v1/auth/session"
SIGNUP = "/_allauth/app/v1/auth/signup"
PASSWORD = "a-long-enough-one"


def sign_in(client: Client, email: str = "ada@example.org", password: str = PASSWORD) -> Any:
    return client.post(LOGIN, {"email": email, "password": password}, content_type="application/json")


def test_a_session_token_opens_the_api_until_signing_out(client: Client, member: Member) -> None:
    token = sign_in(client).json()["meta"]["session_token"]
    header = {"X-Session-Token": token}
    assert client.get("/api/v1/me", headers=header).json()["email"] == member.email
    client.delete(SESSION, headers=header)
    gone = client.get("/api/v1/me", headers=header)
    assert (gone.status_code, gone.headers["Content-Type"]) == (401, "application/problem+json")


def test_the_access_token_does_too_and_ends_with_the_session(client: Client, member: Member) -> None:
    meta = sign_in(client).json()["meta"]
    header = {"Authorization": f"Bearer {meta['access_token']}"}
    assert client.get("/api/v1/me", headers=header).status_code == 200
    client.delete(SESSION, headers={"X-Session-Token": meta["session_token"]})
    assert client.get("/api/v1/me", headers=header).status_code == 401


def test_an_email_is_taken_however_it_is_cased(client: Client, member: Member) -> None:
    assert sign_in(client, email="ADA@Example.org").status_code == 200


def test_a_token_needs_no_csrf_but_a_page_session_does(member: Member) -> None:
    client = Client(enforce_csrf_checks=True)
    token = sign_in(client).json()["meta"]["session_token"]
    assert client.post("/api/v1/conversations", headers={"X-Session-Token": token}).status_code == 201
    client.force_login(member)
    refused = client.post("/api/v1/conversations")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")


def test_a_member_who_was_shut_out_is_out_at_once(client: Client, member: Member) -> None:
    meta = sign_in(client).json()["meta"]
    Member.objects.update(is_active=False)
    assert client.get("/api/v1/me", headers={"X-Session-Token": meta["session_token"]}).status_code == 401
    assert client.get("/api/v1/me", headers={"Authorization": f"Bearer {meta['access_token']}"}).status_code == 401


@pytest.mark.parametrize("token", ["nonsense", "a\x00b", "é", "x" * 5_000])
def test_a_token_that_is_none_is_a_401(client: Client, db: None, token: str) -> None:
    for header in ({"X-Session-Token": token}, {"Authorization": f"Bearer {token}"}):
        answer = client.get("/api/v1/me", headers=header)
        assert (answer.status_code, answer.headers["Content-Type"]) == (401, "application/problem+json")


def test_a_wrong_password_tells_nothing_about_who_exists(client: Client, member: Member) -> None:
    wrong = sign_in(client, password="not-that-one")
    unknown = sign_in(client, email="nobody@example.org")
    assert wrong.status_code == unknown.status_code == 400
    assert "session_token" not in wrong.content.decode()
    assert wrong.content == unknown.content


@pytest.mark.parametrize("email", ["a\x00@example.org", "a\ud800@example.org", ""])
def test_a_login_name_that_cannot_be_is_a_400(client: Client, db: None, email: str) -> None:
    assert sign_in(client, email=email).status_code == 400


@pytest.mark.parametrize("address", [LOGIN, SIGNUP, "/_allauth/app/v1/account/password/change"])
@pytest.mark.parametrize("password", ['"a\\ud800long-one"', "[" * 100_000])
def test_a_password_that_is_no_text_is_a_400(client: Client, member: Member, address: str, password: str) -> None:
    headers = {"X-Session-Token": sign_in(client).json()["meta"]["session_token"]}
    body = f'{{"email": "ada@example.org", "password": {password}, "new_password": {password}}}'
    assert client.post(address, body, content_type="application/json", headers=headers).status_code == 400


def test_nobody_signs_up_while_it_is_closed(client: Client, db: None) -> None:
    body = {"email": "new@example.org", "password": "quite-a-long-one-7"}
    assert client.post(SIGNUP, body, content_type="application/json").status_code == 403
    assert not Member.objects.exists()


def test_two_apps_of_one_member_sign_out_apart(client: Client, member: Member) -> None:
    tokens = [sign_in(Client()).json()["meta"]["session_token"] for _ in range(2)]
    client.delete(SESSION, headers={"X-Session-Token": tokens[0]})
    assert client.get("/api/v1/me", headers={"X-Session-Token": tokens[1]}).status_code == 200


def test_a_new_password_ends_every_session(client: Client, db: None) -> None:
    member = member_create(email="eve@example.org", password=PASSWORD)
    token = sign_in(client, email=member.email).json()["meta"]["session_token"]
    member.set_password("another-long-one-9")
    member.save()
    assert client.get("/api/v1/me", headers={"X-Session-Token": token}).status_code == 401


def test_an_access_token_is_refreshed(client: Client, member: Member) -> None:
    refresh = sign_in(client).json()["meta"]["refresh_token"]
    body = {"refresh_token": refresh}
    answer = client.post("/_allauth/app/v1/tokens/refresh", body, content_type="application/json")
    header = {"Authorization": f"Bearer {answer.json()['data']['access_token']}"}
    assert client.get("/api/v1/me", headers=header).status_code == 200
    assert client.post("/_allauth/app/v1/tokens/refresh", body, content_type="application/json").status_code == 400
