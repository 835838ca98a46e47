"""Inviting people in the admin."""

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from journeys.admin.invitations import addresses_in
from journeys.models import Invitation, Member
from journeys.services import invitations_create, member_create, members_demo

ADD, LIST = "/admin/journeys/invitation/add/", "/admin/journeys/invitation/"


@pytest.fixture
def as_editor(client: Client, db: None) -> Client:
    members_demo("secondact")
    client.force_login(Member.objects.get(email="editor@example.org"))
    return client


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent to the workers."""
    found: list[str] = []
    queue = "journeys.services.inviting.current_app.send_task"
    monkeypatch.setattr(queue, lambda name, args, retry: found.extend(args))
    return found


def test_a_pasted_list_is_read_in_every_usual_form() -> None:
    text = "a@x.org, b@x.org;c@x.org\nAda Example <d@x.org>\n\n  e@x.org f@x.org"
    assert addresses_in(text) == [f"{letter}@x.org" for letter in "abcdef"]


def test_good_addresses_are_invited_and_each_bad_one_is_named(
    as_editor: Client, queued: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    pasted = "New@example.org\nnew@example.org, other@example.org, nonsense, member@example.org"
    with django_capture_on_commit_callbacks(execute=True):
        page = as_editor.post(ADD, {"addresses": pasted}).content.decode()
    assert set(Invitation.objects.values_list("email", flat=True)) == {"new@example.org", "other@example.org"}
    assert {invitation.invited_by.email for invitation in Invitation.objects.all()} == {"editor@example.org"}  # type: ignore[union-attr]
    assert "Not invited: nonsense. This is no e-mail address." in page
    assert "Not invited: member@example.org. There is an account with this address." in page
    assert sorted(queued) == sorted(str(pk) for pk in Invitation.objects.values_list("pk", flat=True))


def test_what_is_pasted_is_shown_as_text(as_editor: Client) -> None:
    page = as_editor.post(ADD, {"addresses": "<script>alert(1)</script>"}).content.decode()
    assert "<script>alert(1)" not in page
    assert not Invitation.objects.exists()


def test_an_address_invited_before_gets_a_new_link_and_no_second_invitation(as_editor: Client) -> None:
    first = invitations_create(addresses=["new@example.org"], invited_by=None).new[0]
    as_editor.post(ADD, {"addresses": "new@example.org"})
    assert Invitation.objects.get().nonce != first.nonce


def test_invitations_are_sent_again_and_revoked(as_editor: Client) -> None:
    invitation = invitations_create(addresses=["new@example.org"], invited_by=None).new[0]
    chosen = {"_selected_action": [str(invitation.pk)]}
    as_editor.post(LIST, {"action": "resend", **chosen})
    assert Invitation.objects.get().nonce != invitation.nonce
    as_editor.post(LIST, {"action": "revoke", **chosen})
    assert Invitation.objects.get().state == Invitation.State.REVOKED
    page = as_editor.post(LIST, {"action": "resend", **chosen}, follow=True).content.decode()
    assert "not open any more" in page
    assert Invitation.objects.get().state == Invitation.State.REVOKED


@pytest.mark.parametrize("state", ["", *Invitation.State.values, "made-up"])
def test_the_list_is_filtered_by_state(as_editor: Client, state: str) -> None:
    invitations_create(addresses=["new@example.org"], invited_by=None)
    page = as_editor.get(LIST, {"state": state}).content.decode()
    assert ("new@example.org" in page) is (state in ("", "waiting", "made-up"))


def test_an_invitation_is_looked_at_and_not_edited(as_editor: Client) -> None:
    invitation = invitations_create(addresses=["new@example.org"], invited_by=None).new[0]
    page = f"{LIST}{invitation.pk}/change/"
    assert invitation.nonce not in as_editor.get(page).content.decode()
    as_editor.post(page, {"email": "else@example.org"})
    assert Invitation.objects.get().email == "new@example.org"


def test_nobody_invites_without_the_right_to(client: Client, db: None) -> None:
    helper = member_create(email="helper@example.org", password="quite-a-long-one-7")
    helper.is_staff = True
    helper.save()
    client.force_login(helper)
    assert client.post(ADD, {"addresses": "new@example.org"}).status_code == 403
    assert not Invitation.objects.exists()


def test_a_queue_that_is_down_is_made_good_by_the_sweeper(
    as_editor: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from journeys.services import invitations_sweep

    def down(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("journeys.services.inviting.current_app.send_task", down)
    with django_capture_on_commit_callbacks(execute=True):
        assert as_editor.post(ADD, {"addresses": "new@example.org"}).status_code == 302
    assert "could not be queued; the sweeper will" in caplog.text
    assert invitations_sweep() == [Invitation.objects.get().pk]
