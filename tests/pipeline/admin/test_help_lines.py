"""Help lines in the admin: checked, previewed, approved, and never without one for everybody."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from pipeline.help_lines import help_line_text, help_lines_load
from pipeline.models import HelpLine

pytestmark = pytest.mark.django_db

LIST, ADD = "admin:pipeline_helpline_changelist", "admin:pipeline_helpline_add"


@pytest.fixture
def editor() -> Client:
    """A signed-in superuser, with the texts that ship."""
    help_lines_load()
    client = Client()
    client.force_login(get_user_model().objects.create(email="e@example.org", is_staff=True, is_superuser=True))
    return client


def sent(editor: Client, address: str, **fields: str) -> str:
    form = {"country": "be", "text": "Call 112.\r\nOr 1813.", "approved_by": "An editor", **fields}
    return str(editor.post(address, form, follow=True).content.decode())


def test_a_text_is_stored_for_a_country_with_who_approved_it(editor: Client) -> None:
    sent(editor, reverse(ADD))

    assert help_line_text("BE") == "Call 112.\nOr 1813."
    assert HelpLine.objects.get(country="BE").approved_by == "An editor"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"country": "b1"}, "two letters"),
        ({"text": "Please talk to somebody."}, "telephone number or a web address"),
        ({"text": "Call 112. " * 300}, "At most 2,000 characters"),
        ({"approved_by": ""}, "This field is required"),
        ({"country": "gb"}, "already exists"),
    ],
)
def test_what_helps_nobody_is_refused(editor: Client, fields: dict[str, str], why: str) -> None:
    before = HelpLine.objects.count()

    assert why in sent(editor, reverse(ADD), **fields)
    assert HelpLine.objects.count() == before


def test_the_stored_text_is_previewed_without_becoming_markup(editor: Client) -> None:
    line = HelpLine.objects.create(country="BE", text="Call 112 <b>now</b>.", approved_by="An editor")
    page = editor.get(reverse("admin:pipeline_helpline_change", args=[line.pk])).content.decode()

    assert "pre-wrap" in page
    assert "<b>now</b>" not in page


def test_the_text_for_all_others_is_edited_but_neither_deleted_nor_moved(editor: Client) -> None:
    line = HelpLine.objects.get(country="")
    address = reverse("admin:pipeline_helpline_change", args=[line.pk])
    sent(editor, address, country="", text="Call 112.")
    moved = sent(editor, address, country="BE")
    refused = editor.post(reverse("admin:pipeline_helpline_delete", args=[line.pk]), {"post": "yes"})
    chosen = {"action": "delete_selected", "post": "yes"}
    everything = [str(pk) for pk in HelpLine.objects.values_list("pk", flat=True)]
    editor.post(reverse(LIST), chosen | {"_selected_action": everything})

    assert "all other countries" in moved
    assert refused.status_code == 403
    assert HelpLine.objects.get(country="").text == "Call 112."


def test_a_countrys_text_may_be_deleted(editor: Client) -> None:
    line = HelpLine.objects.get(country="GB")
    editor.post(reverse("admin:pipeline_helpline_delete", args=[line.pk]), {"post": "yes"})

    assert help_line_text("GB") == help_line_text("")


def test_a_sample_is_told_from_what_a_person_approved(editor: Client) -> None:
    HelpLine.objects.filter(country="GB").update(approved_by="An editor")
    page = editor.get(reverse(LIST), {"q": "GB"}).content.decode()

    assert "icon-yes" in page
    assert "icon-no" in editor.get(reverse(LIST), {"q": "sample"}).content.decode()
