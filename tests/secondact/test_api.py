"""What every call of the API has in common."""

from typing import Any

from django.test import Client

from journeys.services import member_create


def client_of(email: str) -> Client:
    client = Client()
    client.force_login(member_create(email=email, password="a-long-enough-one"))
    return client


def test_nobody_asks_without_signing_in(client: Client, db: None) -> None:
    answer = client.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "X-Session-Token"


def test_a_member_who_asks_too_often_is_told_when_to_come_back(db: None, settings: Any) -> None:
    settings.API_RATES = {"member": "2/min"}
    busy, calm = client_of("busy@example.org"), client_of("calm@example.org")
    for _ in range(2):
        assert busy.get("/api/v1/me").status_code == 200
    refused = busy.get("/api/v1/me")
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert int(refused.headers["Retry-After"]) >= 1
    assert calm.get("/api/v1/me").status_code == 200


def test_the_api_is_not_kept_by_caches_as_another_members(db: None) -> None:
    assert "Cookie" in client_of("ada@example.org").get("/api/v1/me").headers["Vary"]
