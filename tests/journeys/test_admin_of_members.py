"""What an editor may do to members, and what never."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from journeys.models import Member
from journeys.services import member_create, members_demo

PASSWORD = "quite-a-long-one-7"


@pytest.fixture
def as_editor(client: Client, db: None) -> Client:
    members_demo("secondact")
    client.force_login(Member.objects.get(email="editor@example.org"))
    return client


@pytest.fixture
def ada(db: None) -> Member:
    return member_create(email="ada@example.org", password=PASSWORD, first_name="Ada")


@pytest.fixture
def owner(db: None) -> Member:
    return Member.objects.create_superuser("owner@example.org", PASSWORD)


def page(member: Member, rest: str = "change/") -> str:
    return f"/admin/journeys/member/{member.pk}/{rest}"


def test_an_editor_finds_members(as_editor: Client, ada: Member) -> None:
    found = as_editor.get("/admin/journeys/member/?q=ada&is_active__exact=1").content.decode()
    assert "ada@example.org" in found
    assert "owner" not in found


def test_an_editor_shuts_members_out_and_lets_them_in(as_editor: Client, ada: Member) -> None:
    for action, active in (("shut_out", False), ("let_in", True)):
        as_editor.post("/admin/journeys/member/", {"action": action, "_selected_action": [str(ada.pk)]})
        ada.refresh_from_db()
        assert ada.is_active is active


def test_an_editor_raises_no_rights_and_sets_no_password_whatever_is_posted(as_editor: Client, ada: Member) -> None:
    right = Permission.objects.get(codename="delete_member")
    everything = {
        "email": "taken@example.org",
        "first_name": "Ada",
        "last_name": "B",
        "is_active": "on",
        "is_staff": "on",
        "is_superuser": "on",
        "groups": [str(Group.objects.get().pk)],
        "user_permissions": [str(right.pk)],
        "password": "pbkdf2_sha256$1$a$b",
    }
    assert as_editor.post(page(ada), everything).status_code == 302
    ada.refresh_from_db()
    assert (ada.email, ada.last_name) == ("ada@example.org", "B")
    assert not ada.is_staff
    assert not ada.is_superuser
    assert ada.check_password(PASSWORD)
    assert not ada.groups.exists()
    assert not ada.user_permissions.exists()
    assert as_editor.get(page(ada, "password/")).status_code == 403
    new = {"password1": "another-long-one-9", "password2": "another-long-one-9", "usable_password": "true"}
    assert as_editor.post(page(ada, "password/"), new).status_code == 403


def test_an_editor_touches_nobody_of_the_staff_themselves_included(as_editor: Client, owner: Member) -> None:
    editor = Member.objects.get(email="editor@example.org")
    chosen = [str(owner.pk), str(editor.pk)]
    as_editor.post("/admin/journeys/member/", {"action": "shut_out", "_selected_action": chosen})
    for member in (owner, editor):
        assert as_editor.post(page(member), {"first_name": "X", "is_active": ""}).status_code == 403
        assert as_editor.post(page(member, "password/"), {"password1": "x", "password2": "x"}).status_code == 403
        member.refresh_from_db()
        assert (member.is_active, member.first_name) == (True, "")


def test_an_editor_neither_makes_nor_deletes_accounts(as_editor: Client, ada: Member) -> None:
    assert as_editor.get("/admin/journeys/member/add/").status_code == 403
    assert as_editor.post(page(ada, "delete/"), {"post": "yes"}).status_code == 403
    as_editor.post(
        "/admin/journeys/member/", {"action": "delete_selected", "_selected_action": [str(ada.pk)], "post": "1"}
    )
    assert Member.objects.filter(pk=ada.pk).exists()


def test_rights_given_one_by_one_reach_no_further(client: Client, ada: Member, owner: Member) -> None:
    helper = member_create(email="helper@example.org", password=PASSWORD)
    helper.is_staff = True
    helper.save()
    helper.user_permissions.set(Permission.objects.filter(content_type__model="member"))
    client.force_login(helper)
    assert client.get("/admin/journeys/member/add/").status_code == 403
    assert client.post(page(owner, "delete/"), {"post": "yes"}).status_code == 403
    assert client.post(page(ada), {"is_superuser": "on", "is_active": "on"}).status_code == 302
    ada.refresh_from_db()
    assert not ada.is_superuser


def test_a_superuser_changes_an_address_and_it_counts_as_confirmed(client: Client, ada: Member, owner: Member) -> None:
    client.force_login(owner)
    fields = {"email": "Moved@Example.org", "is_active": "on"}
    assert client.post(page(ada), fields).status_code == 302
    answer = Client().post("/accounts/login/", {"login": "moved@example.org", "password": PASSWORD})
    assert answer["location"] == "/chat/"


def test_an_account_made_in_the_admin_signs_in_at_once(client: Client, owner: Member) -> None:
    client.force_login(owner)
    fields = {"email": "new@example.org", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/admin/journeys/member/add/", fields).status_code == 302
    answer = Client().post("/accounts/login/", {"login": "new@example.org", "password": PASSWORD})
    assert answer["location"] == "/chat/"
