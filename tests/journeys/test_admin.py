"""Members in the admin."""

import pytest
from django.contrib import admin
from django.test import Client

from journeys.models import Conversation, Feedback, Member, Stage, StageChange, Turn
from journeys.services import members_demo, stages_load


@pytest.fixture
def as_owner(client: Client, db: None) -> Client:
    client.force_login(Member.objects.create_superuser("owner@example.org", "a-long-enough-one"))
    return client


@pytest.fixture
def as_editor(client: Client, db: None) -> Client:
    members_demo("secondact")
    client.force_login(Member.objects.get(email="editor@example.org"))
    return client


def test_what_members_wrote_is_not_in_the_admin() -> None:
    for model in (Conversation, Turn, Feedback, StageChange):
        assert not admin.site.is_registered(model)


def test_a_member_is_made_by_email(as_owner: Client) -> None:
    form = {
        "email": "new@example.org",
        "usable_password": "true",
        "password1": "quite-a-long-one-7",
        "password2": "quite-a-long-one-7",
    }
    answer = as_owner.post("/admin/journeys/member/add/", form)
    assert answer.status_code == 302
    assert Member.objects.get(email="new@example.org").check_password("quite-a-long-one-7")


@pytest.mark.parametrize("page", ["member", "stage", "profile"])
def test_the_lists_open_and_can_be_searched(as_owner: Client, page: str) -> None:
    stages_load()
    assert as_owner.get(f"/admin/journeys/{page}/").status_code == 200
    assert as_owner.get(f"/admin/journeys/{page}/?q=a%00b").status_code in (200, 302, 400)


def test_a_member_page_opens(as_owner: Client) -> None:
    owner = Member.objects.get()
    assert as_owner.get(f"/admin/journeys/member/{owner.pk}/change/").status_code == 200


def test_editors_see_stages_and_no_profiles(as_editor: Client) -> None:
    stages_load()
    assert as_editor.get("/admin/journeys/stage/exploring/change/").status_code == 200
    assert as_editor.get("/admin/journeys/profile/").status_code == 403


def test_an_editor_changes_the_words_of_a_stage(as_editor: Client) -> None:
    stages_load()
    words = {"name": "Exploring", "description": "New words.", "framing": "New framing."}
    assert as_editor.post("/admin/journeys/stage/exploring/change/", words).status_code == 302
    assert Stage.objects.get(slug="exploring").description == "New words."
