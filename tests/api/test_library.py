"""Documents and personas over the API."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from corpus.models import Chunk, Document, Persona

URL = "/api/v1/documents"


@pytest.fixture
def document(db: None) -> Document:
    return Document.objects.create(
        title="Disrupt <i>You</i>",
        creator="Jay Samit",
        authority="primary",
        content_type="book_chapter",
        status="published",
    )


@pytest.fixture
def chunk(document: Document) -> Chunk:
    return Chunk.objects.create(
        document=document,
        ordinal=0,
        heading_path=["Part one", "Chapter 3"],
        locator={"chapter": "3"},
        text="Every obstacle is an opportunity.",
        content_hash="0" * 64,
        embed_hash="0" * 64,
        tokens=7,
    )


def test_a_citation_opens_with_its_chunk(api: APIClient, document: Document, chunk: Chunk) -> None:
    body = api.get(f"{URL}/{document.id}?chunk={chunk.public_id}").json()
    assert (body["title"], body["authority"], body["creator"]) == ("Disrupt <i>You</i>", "primary", "Jay Samit")
    assert body["authority_label"].startswith("Primary")
    assert body["chunk"] == {
        "id": str(chunk.public_id),
        "ordinal": 0,
        "heading_path": ["Part one", "Chapter 3"],
        "locator": {"chapter": "3"},
        "text": "Every obstacle is an opportunity.",
        "next": None,
    }


def test_a_chunk_names_the_one_that_follows_it(api: APIClient, document: Document, chunk: Chunk) -> None:
    following = Chunk.objects.create(
        document=document, ordinal=1, text="So begin.", content_hash="1" * 64, embed_hash="1" * 64, tokens=3
    )
    body = api.get(f"{URL}/{document.id}?chunk={chunk.public_id}").json()
    assert body["chunk"]["next"] == str(following.public_id)


def test_without_a_chunk_only_the_document_is_told(api: APIClient, document: Document) -> None:
    assert api.get(f"{URL}/{document.id}").json()["chunk"] is None


@pytest.mark.parametrize("status", ["draft", "withdrawn"])
def test_what_is_not_published_answers_like_what_does_not_exist(
    api: APIClient, document: Document, status: str
) -> None:
    Document.objects.update(status=status)
    hidden = api.get(f"{URL}/{document.id}")
    assert hidden.status_code == 404
    assert hidden.content == api.get(f"{URL}/{uuid4()}").content


def test_a_chunk_of_another_document_is_not_found(api: APIClient, document: Document, chunk: Chunk) -> None:
    elsewhere = Document.objects.create(title="Other", authority="primary", content_type="quote", status="published")
    assert api.get(f"{URL}/{elsewhere.id}?chunk={chunk.public_id}").status_code == 404


def test_a_chunk_that_is_no_id_is_a_400(api: APIClient, document: Document) -> None:
    assert api.get(f"{URL}/{document.id}?chunk=abc").status_code == 400


def test_personas_come_by_name(api: APIClient) -> None:
    for name in ("Zoe", "Abe"):
        Persona.objects.create(slug=name.lower(), name=name)
    assert [row["slug"] for row in api.get("/api/v1/personas").json()["results"]] == ["abe", "zoe"]
