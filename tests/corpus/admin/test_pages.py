import uuid

import pytest
from django.contrib import messages
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from corpus.models import Chunk, Document, Ingestion
from tests.corpus.reading_in import document_make, file_give, paragraphs, read_in

ACTS = ["publish", "withdraw", "retry"]


def said(answer: object) -> str:
    return " ".join(str(message) for message in messages.get_messages(answer.wsgi_request))  # type: ignore[attr-defined]


def do(editor: Client, name: str, document: Document) -> str:
    """What the document's page says after its button."""
    answer = editor.post(reverse(f"admin:corpus_document_{name}", args=[document.pk]))
    assert answer.status_code == 302
    return said(answer)


def page(editor: Client, name: str, document: Document, query: str = "") -> str:
    answer = editor.get(reverse(f"admin:corpus_document_{name}", args=[document.pk]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def book(chunks: int) -> Document:
    """A document of so many chunks."""
    document = document_make("Book")
    Chunk.objects.bulk_create(
        Chunk(
            document=document,
            ordinal=number,
            text=f"Sentence number {number + 1}.",
            heading_path=["Part", f"Chapter {number // 100}"],
            locator={"page": str(number)},
            content_hash=f"{number:064}",
            embed_hash="",
            tokens=20,
        )
        for number in range(chunks)
    )
    return document


def test_publish_withdraw_and_retry_stand_on_the_documents_page(editor: Client) -> None:
    document = document_make()
    read_in(document, "Text.")

    assert "Members find this document" in do(editor, "publish", document)
    document.refresh_from_db()
    assert document.status == "published"
    assert "no answer uses this document" in do(editor, "withdraw", document)
    document.refresh_from_db()
    assert document.status == "withdrawn"
    assert "Only an ingestion that failed" in do(editor, "retry", document)

    read_in(document, "  ")
    assert "Try again" not in page(editor, "panel", document)
    document.ingestions.filter(state="failed").update(permanent=False)
    assert "Try again" in page(editor, "panel", document)
    assert "read in once more" in do(editor, "retry", document)


def test_publishing_what_is_still_read_in_says_that_it_will_be(editor: Client) -> None:
    document = document_make()
    file_give(document, "Text.")
    assert "once it is read in" in do(editor, "publish", document)
    assert Ingestion.objects.get().publish_when_ready


@pytest.mark.parametrize("name", ACTS)
def test_a_button_is_no_link(editor: Client, name: str) -> None:
    address = reverse(f"admin:corpus_document_{name}", args=[document_make().pk])
    assert editor.get(address).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = editor.cookies
    assert strict.post(address).status_code == 403
    assert Client().post(address).status_code == 302


def test_the_panel_tells_progress_and_warnings(editor: Client) -> None:
    document = document_make()
    ingestion = file_give(document, "Text.")
    Ingestion.objects.filter(pk=ingestion.pk).update(
        state="embedding", done=3, total=8, warnings=["Look at <b>this</b>."]
    )

    html = page(editor, "panel", document)

    assert "data-working" in html
    assert "Embedding, 3 of 8" in html
    assert "Look at &lt;b&gt;this&lt;/b&gt;." in html
    assert html in page(editor, "change", document) or "data-panel" in page(editor, "change", document)


def test_states_are_told_of_the_documents_asked_about(editor: Client) -> None:
    document, other = document_make("A"), document_make("B")
    file_give(document, "Text.")

    query = f"?id={document.pk}&id={uuid.uuid4()}&id=nonsense"
    told = editor.get(reverse("admin:corpus_document_states") + query).json()

    assert told == {
        str(document.pk): {"words": "Received", "working": True, "done": 0, "total": 0, "status": "Draft"},
    }
    assert str(other.pk) not in told


def test_the_chunks_of_a_long_book_come_page_by_page_in_order(
    editor: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    document = book(3_000)
    with django_assert_max_num_queries(15):
        first = page(editor, "chunks", document)

    assert first.count('<article class="chunk"') == 50
    assert first.index('id="chunk-0"') < first.index('id="chunk-49"')
    assert "Part > Chapter 0" in first
    assert "Page 0 · 20 tokens" in first
    assert 'id="chunk-2999"' in page(editor, "chunks", document, "?page=60")


def test_a_chunk_is_found_by_its_number_by_its_id_and_by_its_words(editor: Client) -> None:
    document = book(120)
    address = reverse("admin:corpus_document_chunks", args=[document.pk])
    chunk = Chunk.objects.get(ordinal=110)

    for query in ("?number=111", f"?chunk={chunk.public_id}"):
        assert editor.get(address + query)["location"] == f"{address}?page=3#chunk-110"
    found = page(editor, "chunks", document, "?q=number+111.")
    assert found.count('<article class="chunk"') == 1
    for query in ("?number=0", "?number=121", "?number=x", f"?chunk={uuid.uuid4()}", "?chunk=x"):
        assert editor.get(address + query).status_code == 404


def test_a_new_text_is_shown_beside_the_live_one(editor: Client) -> None:
    document = document_make()
    read_in(document, paragraphs("One", "Two", "Three"), publish=True)
    read_in(document, paragraphs("One", "Two", "Three").replace("Two. It says", "Two. It <i>now</i> tells"))

    html = page(editor, "difference", document)

    assert "<del>says</del>" in html
    assert "<i>" not in html.partition("beside heads")[2]
    assert "unchanged chunk" in html
    assert "Publish the new text" in html
    do(editor, "publish", document)
    assert editor.get(reverse("admin:corpus_document_difference", args=[document.pk])).status_code == 302


@pytest.mark.parametrize("name", ["chunks", "difference", "panel"])
def test_a_document_that_is_not_there_is_a_404(editor: Client, name: str) -> None:
    assert editor.get(reverse(f"admin:corpus_document_{name}", args=[uuid.uuid4()])).status_code == 404


def test_the_table_tells_which_questions_reach_what(editor: Client) -> None:
    html = editor.get(reverse("admin:corpus_document_reach")).content.decode()
    row = html[html.index('data-authority="primary" data-content-type="quote"') :]
    assert row[row.index(">") + 1 : row.index("<")] == "Book reference, Exploration, General"


def test_what_reaches_a_document_stands_in_its_form(editor: Client) -> None:
    html = page(editor, "change", document_make())
    assert "<p data-reach-chosen>Concept explanation, Exploration, General</p>" in html
