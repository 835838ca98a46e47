from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.graph.work import work_do
from corpus.models import Chunk, Concept, Document, Ingestion, Mention
from corpus.services import ingestion_run
from tests.corpus.reading_in import HashEmbedder, document_make, paragraphs, read_in

LIST = "admin:corpus_document_changelist"
LABELS = {"title": "Guide", "authority": "primary", "content_type": "framework", "language": "en"}
NO_INLINE = {"ingestions-TOTAL_FORMS": "0", "ingestions-INITIAL_FORMS": "0"}


def add(editor: Client, **fields: object) -> str:
    """What the page says after the form for a new document was sent."""
    answer = editor.post(reverse("admin:corpus_document_add"), LABELS | NO_INLINE | fields, follow=True)
    assert answer.status_code == 200
    return str(answer.content.decode())


def act(editor: Client, action: str, *documents: Document) -> str:
    chosen = {"action": action, "_selected_action": [str(document.pk) for document in documents], "post": "yes"}
    return str(editor.post(reverse(LIST), chosen, follow=True).content.decode())


def work() -> None:
    for ingestion in Ingestion.objects.filter(state="received"):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())


def test_an_uploaded_file_becomes_a_document(editor: Client) -> None:
    add(editor, upload=SimpleUploadedFile("guide.txt", b"Some text."), publish="on")
    work()

    document = Document.objects.get()
    assert (document.status, document.chunks.get().text) == ("published", "Some text.")
    assert document.history.last().history_user.email == "editor@example.org"


def test_pasted_text_becomes_a_document(editor: Client) -> None:
    add(editor, pasted="# Heading\n\nSome text.")
    work()

    assert Chunk.objects.get().heading_path == ["Heading"]


def test_a_file_that_cannot_be_read_is_refused_in_the_form(editor: Client) -> None:
    page = add(editor, upload=SimpleUploadedFile("guide.exe", b"x"))

    assert "Files of the format .exe cannot be read" in page
    assert not Document.objects.exists()


def test_a_file_and_a_text_at_once_are_refused(editor: Client) -> None:
    assert "not both" in add(editor, upload=SimpleUploadedFile("guide.txt", b"x"), pasted="x")


def test_the_list_shows_chunks_state_and_reason(editor: Client) -> None:
    read_in(document_make("Good"), paragraphs("One", "Two"))
    read_in(document_make("Bad"), "  ")

    page = editor.get(reverse(LIST)).content.decode()

    assert '<td class="field-chunk_count">2</td>' in page
    assert "Failed: There is no text in the file." in page


def test_a_new_text_of_a_published_document_is_shown_with_its_difference(editor: Client) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two"), publish=True)
    read_in(document, paragraphs("Two", "Three", "Four"))

    page = editor.get(reverse("admin:corpus_document_change", args=[document.pk])).content.decode()

    assert "Ready to publish: 2 new chunks, 1 unchanged, 1 gone" in page


def test_publish_withdraw_and_retry_work_on_many(editor: Client) -> None:
    good, empty = document_make("Good"), document_make("Empty")
    read_in(good, "Text.")

    page = act(editor, "publish_selected", good, empty)
    assert "1 published." in page
    assert "Empty: There is nothing to publish yet" in page
    assert "1 withdrawn." in act(editor, "withdraw_selected", good)

    read_in(empty, "  ")
    assert "1 queued again." in act(editor, "retry_selected", empty)
    assert empty.ingestions.get().state == "received"


def test_deleting_many_cleans_up_like_deleting_one(editor: Client, tmp_path: Path) -> None:
    documents = [document_make(title) for title in ("A", "B", "C")]
    for document in documents:
        read_in(document, "Text.", publish=True)

    act(editor, "delete_selected", *documents)

    assert not Document.objects.exists()
    assert not Chunk.objects.exists()


def test_a_changed_title_goes_through_the_service(editor: Client) -> None:
    document = document_make()
    read_in(document, "Text.", publish=True)
    form = LABELS | {"title": "Compass", "ingestions-TOTAL_FORMS": "1", "ingestions-INITIAL_FORMS": "1"}

    editor.post(reverse("admin:corpus_document_change", args=[document.pk]), form, follow=True)
    work()

    assert Chunk.objects.get().prefix == "Compass"


def test_markup_in_titles_and_texts_is_shown_as_text(editor: Client) -> None:
    evil = "<img src=x onerror=alert(1)>"
    document = document_make(evil)
    read_in(document, f"    {evil}\n")

    for page in (
        reverse(LIST),
        reverse("admin:corpus_document_change", args=[document.pk]),
        reverse("admin:corpus_chunk_changelist"),
        reverse("admin:corpus_chunk_change", args=[document.chunks.get().pk]),
    ):
        html = editor.get(page).content.decode()
        assert "onerror" in html
        assert evil not in html


@pytest.mark.parametrize("page", [LIST, "admin:corpus_chunk_changelist", "admin:corpus_concept_changelist"])
def test_a_nul_in_the_search_box_is_no_fault(editor: Client, page: str) -> None:
    assert editor.get(reverse(page) + "?q=a%00b").status_code < 500


@pytest.mark.parametrize("field", ["title", "creator", "rights_note", "pasted"])
def test_a_nul_in_the_form_of_a_document_is_a_400_and_leaves_nothing(editor: Client, field: str) -> None:
    answer = editor.post(reverse("admin:corpus_document_add"), LABELS | NO_INLINE | {"pasted": "Text.", field: "a\0b"})

    assert answer.status_code == 400
    assert not Document.objects.exists()


def test_a_concept_finds_its_mentions_when_its_names_change(editor: Client) -> None:
    read_in(document_make(), "A cash runway is counted in months.")
    form = {
        "name": "Money",
        "summary": "",
        "aliases-TOTAL_FORMS": "1",
        "aliases-INITIAL_FORMS": "0",
        "aliases-0-name": "cash runway",
    }
    for inline in ("outgoing", "incoming"):
        form |= {f"{inline}-TOTAL_FORMS": "0", f"{inline}-INITIAL_FORMS": "0"}

    editor.post(reverse("admin:corpus_concept_add"), form)
    work_do()

    assert Mention.objects.get().concept == Concept.objects.get(name="Money")


@pytest.mark.parametrize("model", ["document", "chunk", "concept", "relationship", "relationshipkind", "persona"])
def test_every_list_opens(editor: Client, model: str) -> None:
    assert editor.get(reverse(f"admin:corpus_{model}_changelist")).status_code == 200


def test_a_new_document_asks_only_for_what_can_be_given(editor: Client) -> None:
    page = editor.get("/admin/corpus/document/add/").content.decode()
    assert "DatabaseDefault" not in page
    assert "checksum" not in page.lower()
