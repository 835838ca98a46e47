from collections.abc import Sequence
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.models import Document, Ingestion
from tests.corpus.reading_in import document_make, file_give

UPLOAD = "admin:corpus_document_upload"
LABELS = {"authority": "supplementary", "content_type": "interview", "language": "", "rights_note": "CC-BY"}


def file(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def upload(editor: Client, *files: SimpleUploadedFile, **fields: str) -> Sequence[dict[str, str]]:
    """What the page's module is answered."""
    sent = LABELS | {"uploads": list(files)} | fields
    answer = editor.post(reverse(UPLOAD), sent, headers={"accept": "application/json"})
    assert answer.status_code == 200, answer.content
    told: Sequence[dict[str, str]] = answer.json()["files"]
    return told


def test_each_file_becomes_a_document_with_the_labels_and_the_title_it_gives_itself(editor: Client) -> None:
    told = upload(editor, file("a.md", b"# First words\n\nText."), file("two.txt", b"Text two."), publish="on")

    assert [each["title"] for each in told] == ["First words", "two"]
    for document in Document.objects.all():
        assert (document.authority, document.content_type) == ("supplementary", "interview")
        assert (document.language, document.rights_note) == ("en", "CC-BY")
    assert Ingestion.objects.filter(state="received", publish_when_ready=True).count() == 2


def test_one_bad_file_does_not_keep_the_others_out_and_says_why(editor: Client) -> None:
    told = upload(editor, file("a.txt", b"Text."), file("b.exe", b"x"), file("c.txt", b"Other text."))

    assert ["document" in each for each in told] == [True, False, True]
    assert told[1]["said"].startswith("Files of the format .exe cannot be read")


def test_an_empty_file_and_one_that_cannot_be_stored_do_not_either(editor: Client) -> None:
    told = upload(editor, file("empty.txt", b""), file("a.txt", b"Text."))
    assert ["document" in each for each in told] == [False, True]
    assert told[0]["said"] == "The file is empty."

    with patch("corpus.admin.upload.file_take", side_effect=OSError("disk full")):
        told = upload(editor, file("b.txt", b"Text b."))
    assert told[0]["said"].startswith("The file could not be stored")


def test_a_file_above_the_limit_is_refused_before_it_is_read(editor: Client) -> None:
    with patch("corpus.services.MAX_FILE_BYTES", 3):
        assert "too large" in upload(editor, file("a.txt", b"Text."))[0]["said"]


def test_a_known_file_is_named_and_its_document_left_as_it_is(editor: Client) -> None:
    known = document_make("Known")
    file_give(known, "Text.")

    told = upload(editor, file("again.txt", b"Text."), publish="on")

    assert told[0]["document"] == str(known.pk)
    assert "already" in told[0]["said"]
    known.refresh_from_db()
    assert (known.authority, known.title) == ("primary", "Known")
    assert not Ingestion.objects.filter(publish_when_ready=True).exists()


def test_a_pasted_text_becomes_a_document_beside_the_files(editor: Client) -> None:
    told = upload(editor, file("a.txt", b"Text."), pasted="# From the clipboard\n\nWords.")
    assert [each["title"] for each in told] == ["a", "From the clipboard"]


def test_without_its_module_the_page_shows_what_became_of_each_file(editor: Client) -> None:
    sent = LABELS | {"uploads": [file("a<b>.txt", b"Text."), file("b.exe", b"x")]}
    page = editor.post(reverse(UPLOAD), sent).content.decode()

    assert "a&lt;b&gt;.txt" in page
    assert "cannot be read" in page
    assert Document.objects.count() == 1


@pytest.mark.parametrize(("sent", "field"), [({"authority": "none"}, "authority"), ({}, "__all__")])
def test_what_lacks_is_told_and_nothing_stored(editor: Client, sent: dict[str, str], field: str) -> None:
    answer = editor.post(reverse(UPLOAD), LABELS | sent, headers={"accept": "application/json"})
    assert answer.status_code == 400
    assert field in answer.json()["errors"]
    assert not Document.objects.exists()


def test_a_nul_is_refused_in_a_field_and_harmless_in_a_file_and_its_name(editor: Client) -> None:
    assert editor.post(reverse(UPLOAD), LABELS | {"pasted": "a\0b"}).status_code == 400
    assert upload(editor, file("a\0b.txt", b"Te\0xt."))[0]["title"]
