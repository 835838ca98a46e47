"""The member's page as the server sends it."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from journeys.models import Member

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(db: None) -> Member:
    return Member.objects.create_user(email="member@example.org", password="x")


@pytest.mark.parametrize("address", ["/chat/", "/chat/6f0c48ec-88d5-48ec-8b08-ecf345565190/"])
def test_it_is_for_members_and_comes_back_after_sign_in(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["location"]) == (302, f"/accounts/login/?next={address}")


def test_signing_in_leads_to_it(client: Client, member: Member) -> None:
    answer = client.post("/accounts/login/", {"login": member.email, "password": "x"})
    assert (answer.status_code, answer["location"]) == (302, "/chat/")


def test_the_first_address_leads_signed_in_members_to_it(client: Client, member: Member) -> None:
    assert client.get("/").status_code == 200
    client.force_login(member)
    assert client.get("/")["location"] == "/chat/"


def test_it_names_the_conversation_and_gives_the_token_for_changes(client: Client, member: Member) -> None:
    client.force_login(member)
    conversation = uuid4()
    answer = client.get(f"/chat/{conversation}/")
    assert f'data-conversation="{conversation}"' in answer.content.decode()
    assert "csrftoken" in answer.cookies
    assert "no-store" in answer["cache-control"]


def test_it_holds_nothing_that_its_policy_forbids(client: Client, member: Member) -> None:
    client.force_login(member)
    answer = client.get("/chat/")
    page = answer.content.decode()
    assert "unsafe" not in answer["content-security-policy"]
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert all(" src=" in script for script in re.findall(r"<script[^>]*>", page))
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_only_reading_it_is_possible(client: Client, member: Member) -> None:
    client.force_login(member)
    assert client.post("/chat/").status_code == 405
