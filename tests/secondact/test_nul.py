import json

import pytest
from django.test import AsyncClient, Client

from journeys.models import Member

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(Member.objects.create_superuser(email="root@example.org", password="secondact"))
    return client


@pytest.mark.parametrize(
    "address",
    [
        "/%00",
        "/admin/login/%00",
        "/accounts/login/?next=%00",
        "/admin/journeys/member/?q=a%00b",
        "/admin/journeys/member/?email__exact=%00",
        "/admin/journeys/member/%00/change/",
        "/api/v1/conversations?search=a%00b",
        "/api/v1/conversations?a%00=b",
        "/api/v1/turns/%00",
        "/api/v1/documents/%00",
    ],
)
def test_a_nul_in_an_address_is_400(editor: Client, address: str) -> None:
    answer = editor.get(address)
    assert (answer.status_code, answer["content-type"]) == (400, "application/problem+json")
    assert answer.json()["code"] == "nul_character"


@pytest.mark.parametrize("fields", [{"login": "a\0", "password": "x"}, {"login": "a@example.org", "password": "x\0"}])
def test_a_nul_in_the_sign_in_form_is_400(client: Client, fields: dict[str, str]) -> None:
    assert client.post("/accounts/login/", fields).status_code == 400


def test_a_nul_in_a_form_of_the_admin_is_400(editor: Client) -> None:
    assert (
        editor.post("/admin/login/", "username=a%00", content_type="application/x-www-form-urlencoded").status_code
        == 400
    )


@pytest.mark.parametrize("name", ["email", "password"])
def test_a_nul_in_the_sign_in_of_an_app_is_400(client: Client, name: str) -> None:
    fields = {"email": "a@example.org", "password": "x"} | {name: "a\0@example.org"}
    answer = client.post("/_allauth/app/v1/auth/login", json.dumps(fields), content_type="application/json")
    assert answer.status_code == 400


def test_a_nul_in_a_token_or_a_cookie_is_no_500(client: Client) -> None:
    client.cookies["sessionid"] = "a%00b"
    assert client.get("/api/v1/me", headers={"x-session-token": "a\0b"}).status_code in (400, 401)
    assert client.get("/admin/").status_code in (302, 400)


async def test_an_async_request_is_looked_at_too(async_client: AsyncClient) -> None:
    assert (await async_client.get("/?a=%00")).status_code == 400


def test_what_holds_no_nul_passes(client: Client) -> None:
    assert client.get("/?q=0%25").status_code == 200
