import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from journeys.models import Member

pytestmark = pytest.mark.django_db


def test_the_first_page_says_what_this_is_and_where_to_go(client: Client) -> None:
    page = client.get("/").content.decode()
    for address in ("/accounts/login/", "/api/v1/docs/", "/admin/"):
        assert f'href="{address}"' in page


@pytest.mark.parametrize("address", ["/", "/admin/login/", "/accounts/login/"])
def test_pages_allow_no_script_and_no_style_but_our_own(client: Client, address: str) -> None:
    policy = client.get(address)["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "address", ["/", "/admin/login/", "/accounts/login/", "/admin/", "/admin/journeys/member/add/"]
)
def test_pages_hold_nothing_that_their_policy_forbids(client: Client, address: str) -> None:
    client.force_login(Member.objects.create_superuser(email="root@example.org", password="x"))
    page = client.get(address, follow=True).content.decode()
    assert " style=" not in page
    assert "<style" not in page
    assert "<script>" not in page
    assert " onclick=" not in page


@pytest.mark.parametrize(("signup", "taken"), [("closed", False), ("invite", False), ("open", True)])
def test_sign_up_is_as_the_setting_says(client: Client, settings: Settings, signup: str, taken: bool) -> None:
    settings.SIGNUP = signup
    fields = {"email": "new@example.org", "password1": "a-long-passphrase", "password2": "a-long-passphrase"}
    client.post("/accounts/signup/", fields)
    assert Member.objects.filter(email="new@example.org").exists() is taken


@pytest.mark.parametrize("signup", ["closed", "invite"])
def test_an_app_cannot_sign_up_either_while_it_is_closed(client: Client, settings: Settings, signup: str) -> None:
    settings.SIGNUP = signup
    fields = {"email": "new@example.org", "password": "a-long-passphrase"}
    answer = client.post("/_allauth/app/v1/auth/signup", fields, content_type="application/json")
    assert answer.status_code == 403
    assert not Member.objects.filter(email="new@example.org").exists()


def test_no_model_has_changes_without_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
