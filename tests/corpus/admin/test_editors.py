"""Editors can do all that the library needs, and nothing else."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from corpus.graph.work import work_do
from corpus.models import Concept, Document
from journeys.models import Member
from journeys.services import editors_group
from tests.corpus.reading_in import document_make, read_in

CURATED = {"document", "ingestion", "concept", "alias", "relationship", "relationshipkind", "persona"}


def test_the_group_may_curate_the_library_and_invite(db: None) -> None:
    may = {(each.content_type.app_label, each.codename) for each in editors_group().permissions.all()}

    assert {code for app, code in may if app == "corpus"} == {
        f"{verb}_{model}" for verb in ("add", "change", "delete", "view") for model in CURATED
    } | {"view_chunk"} | {
        f"{verb}_{kind}proposal" for kind in ("concept", "relationship") for verb in ("change", "view")
    }
    # What of a member an editor may change is told in the tests of journeys' admin: to shut out and to let in.
    assert {code for app, code in may if app == "journeys"} == {
        *("view_stage", "change_stage", "view_member", "change_member"),
        *("view_invitation", "add_invitation", "change_invitation"),
    }
    assert {code for app, code in may if app == "pipeline"} == {"view_helpline", "change_helpline"}
    assert {app for app, _ in may} == {"corpus", "journeys", "pipeline"}


def test_every_other_page_of_the_admin_is_closed_to_editors(editor: Client) -> None:
    open_to_them = CURATED | {"chunk", "stage", "helpline", "member", "invitation"}
    open_to_them |= {"conceptproposal", "relationshipproposal"}
    for model in admin.site._registry:
        name = str(model._meta.model_name)
        if name in open_to_them:
            continue
        for page in ("changelist", "add"):
            address = reverse(f"admin:{model._meta.app_label}_{name}_{page}")
            assert editor.get(address).status_code == 403, address


def test_an_editor_cannot_rise(editor: Client) -> None:
    member = Member.objects.get()
    address = reverse("admin:journeys_member_change", args=[member.pk])
    editor.post(address, {"is_superuser": "on", "is_active": "on", "email": "other@example.org", "groups": []})
    assert editor.get(reverse("admin:journeys_member_add")).status_code == 403
    assert editor.get(reverse("admin:auth_user_password_change", args=[member.pk])).status_code == 403
    member.refresh_from_db()
    assert not member.is_superuser
    assert member.email != "other@example.org"
    assert member.groups.exists()
    assert Permission.objects.filter(user=member).count() == 0


@pytest.mark.parametrize(
    "page", ["upload/", "states/", "reach/", "{}/chunks/", "{}/difference/", "{}/panel/", "{}/publish/", "{}/withdraw/"]
)
def test_staff_who_are_no_editors_are_kept_out(editor: Client, page: str) -> None:
    document = document_make()
    Member.objects.get().groups.clear()
    address = "/admin/corpus/document/" + page.format(document.pk)
    send = editor.post if page.endswith(("publish/", "withdraw/")) else editor.get
    assert send(address).status_code == 403


def test_staff_who_may_only_look_get_no_buttons(editor: Client) -> None:
    document = document_make()
    read_in(document, "Text.")
    member = Member.objects.get()
    member.groups.clear()
    member.user_permissions.add(Permission.objects.get(codename="view_document"))

    html = editor.get(reverse("admin:corpus_document_panel", args=[document.pk])).content.decode()

    assert "<button" not in html
    assert editor.post(reverse("admin:corpus_document_publish", args=[document.pk])).status_code == 403


def test_an_id_that_is_none_is_a_404(editor: Client) -> None:
    content_type = ContentType.objects.get_for_model(Document).pk
    for address in (
        f"/admin/r/{content_type}/x/",
        "/admin/r/99999999999999999999/x/",
        "/admin/corpus/document/x/history/",
        "/admin/corpus/document/x/history/1/",
        "/admin/corpus/document/x/chunks/",
        f"/admin/corpus/document/{document_make().pk}/history/99999999999999999999/",
        "/admin/corpus/chunk/99999999999999999999/change/",
        "/admin/corpus/document/x/change/",
        "/admin/corpus/document/x/delete/",
        "/admin/corpus/document/?id__exact=x",
        "/admin/corpus/chunk/?document__id__exact=x",
        "/admin/autocomplete/?app_label=corpus&model_name=relationship&field_name=proof&term=%25",
    ):
        assert editor.get(address).status_code in (200, 302, 400, 403, 404), address
    chosen = {"action": "publish_selected", "_selected_action": ["x"]}
    assert editor.post(reverse("admin:corpus_document_changelist"), chosen).status_code == 404


def test_a_relationships_proof_is_looked_up_and_not_chosen_from_all_chunks(editor: Client) -> None:
    document = document_make("Guide")
    read_in(document, "A cash runway is counted in months.")
    page = editor.get(reverse("admin:corpus_relationship_add")).content.decode()
    assert page.count("admin-autocomplete") >= 4

    query = "?app_label=corpus&model_name=relationship&field_name=proof&term=runway"
    found = editor.get("/admin/autocomplete/" + query).json()["results"]

    assert [each["text"] for each in found] == ["Guide #1: A cash runway is counted in months."]


def test_a_concept_is_given_aliases_and_proven_relationships_on_its_page(editor: Client) -> None:
    document = document_make()
    read_in(document, "A cash runway is counted in months.")
    other = Concept.objects.create(name="Savings")
    editor.post(reverse("admin:corpus_relationshipkind_add"), {"slug": "needs", "label": "needs"})
    form: dict[str, str] = {"name": "Runway", "summary": "", "aliases-0-name": "cash runway"}
    form |= {"outgoing-0-kind": "needs", "outgoing-0-target": str(other.pk), "outgoing-0-weight": "7"}
    form |= {"outgoing-0-proof": str(document.chunks.get().pk)}
    for inline, rows in {"aliases": "1", "outgoing": "1", "incoming": "0"}.items():
        form |= {f"{inline}-TOTAL_FORMS": rows, f"{inline}-INITIAL_FORMS": "0"}

    assert editor.post(reverse("admin:corpus_concept_add"), form).status_code == 302

    work_do()
    concept = Concept.objects.get(name="Runway")
    assert concept.outgoing.get().proof == document.chunks.get()
    assert concept.mentions.count() == 1
    for query in ("?proof=unpublished", "?proof=none", "?proof=published", "?q=runway"):
        assert editor.get(reverse("admin:corpus_relationship_changelist") + query).status_code == 200
    for query in ("?related=yes", "?related=no"):
        assert editor.get(reverse("admin:corpus_concept_changelist") + query).status_code == 200


@pytest.mark.parametrize("query", ["working", "ready", "failed", "none"])
def test_documents_are_narrowed_by_how_their_last_file_stands(editor: Client, query: str) -> None:
    read_in(document_make("Fails"), "  ")
    document_make("Empty")
    html = editor.get(reverse("admin:corpus_document_changelist") + f"?reading={query}").content.decode()
    assert ("Fails</a>" in html) == (query == "failed")
    assert ("Empty</a>" in html) == (query == "none")


NUL = {"concept": "name", "relationshipkind": "label", "persona": "name", "relationship": "weight"}


@pytest.mark.parametrize("model", NUL)
def test_a_nul_in_a_form_or_a_look_up_of_the_graph_is_400(editor: Client, model: str) -> None:
    assert editor.post(reverse(f"admin:corpus_{model}_add"), {NUL[model]: "a\0b"}).status_code == 400
    assert editor.get(reverse(f"admin:corpus_{model}_changelist") + "?q=%00").status_code == 400


def test_an_uploaded_page_is_served_nowhere(editor: Client) -> None:
    document = document_make('<script>alert("t")</script>')
    read_in(document, "# Hello\n\n<script>alert(1)</script> words")
    stored = str(document.ingestions.get().file.name)

    for prefix in ("/", "/media/", "/files/", "/static/"):
        assert editor.get(prefix + stored).status_code == 404
    html = editor.get(reverse("admin:corpus_document_change", args=[document.pk])).content.decode()
    assert stored not in html
    assert "<script>alert" not in html
