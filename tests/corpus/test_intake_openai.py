"""Reading in with OpenAI at the other end of the wire: it waits, resumes, and a key alone changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from benchmarks.provider import Provider
from benchmarks.provider.embeddings import embeddings_reply
from benchmarks.provider.replies import error_reply
from corpus import wiring
from corpus.intake import BATCH, ingestion_run
from corpus.models import EmbeddingSpace, Ingestion
from corpus.models.spaces import space_create, vectors_published
from corpus.openai_access import OpenAIAccess, OpenAILimits
from corpus.openai_embedder import OpenAIEmbedder
from tests.corpus.reading_in import document_make, file_give, paragraphs

MANY = paragraphs(*(f"Part {number}" for number in range(BATCH + 8)))
DOWN = error_reply(503, "server_error")


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture
def openai_space(db: None, settings: Settings, tmp_path: Path) -> EmbeddingSpace:
    settings.MEDIA_ROOT = tmp_path
    return space_create(
        name="small", provider="openai", model="text-embedding-3-small", dimension=1_536, state="active"
    )


@pytest.fixture(autouse=True)
def no_embedders_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "_embedders", {})


def run(ingestion: Ingestion, provider: Provider) -> Ingestion:
    limits = OpenAILimits(batch=20.0, batch_tries=1)
    embedder = OpenAIEmbedder("text-embedding-3-small", OpenAIAccess("a-key", f"{provider.url}/v1", limits))
    ended = ingestion_run(ingestion_id=ingestion.pk, embedder_for=lambda _space: embedder)
    assert ended is not None
    return ended


def test_while_openai_is_down_an_ingestion_waits_and_then_goes_on_where_it_was(
    openai_space: EmbeddingSpace, provider: Provider
) -> None:
    provider.play("embeddings", embeddings_reply, DOWN)
    ingestion = file_give(document_make(), MANY, publish=True)
    waiting = run(ingestion, provider)

    assert (waiting.state, waiting.done, waiting.attempts) == ("embedding", BATCH, 0)
    assert waiting.reason.startswith("Waiting: OpenAI does not answer (status 503)")

    provider.play("embeddings", embeddings_reply)
    Ingestion.objects.filter(pk=ingestion.pk).update(lease_until=None)
    ended = run(ingestion, provider)

    assert (ended.state, ended.done, ended.total) == ("live", ended.total, ended.total)
    assert vectors_published(openai_space) == ended.total
    assert sum(len(call.body["input"]) for call in provider.calls[2:]) == ended.total - BATCH


def test_a_refused_key_waits_too_and_says_so(openai_space: EmbeddingSpace, provider: Provider) -> None:
    provider.play("embeddings", error_reply(401, "invalid_api_key"))
    waiting = run(file_give(document_make(), "One text that is long enough."), provider)

    assert (waiting.state, waiting.permanent) == ("embedding", False)
    assert "status 401" in waiting.reason


def test_without_a_key_an_openai_space_cannot_be_embedded_for(openai_space: EmbeddingSpace) -> None:
    ended = ingestion_run(
        ingestion_id=file_give(document_make(), "One text that is long enough.").pk, embedder_for=wiring.embedder_for
    )

    assert ended is not None
    assert ended.state == "failed"
    assert "OPENAI_API_KEY" in ended.reason


def test_a_key_changes_nothing_while_another_space_is_active(
    openai_space: EmbeddingSpace, provider: Provider, settings: Settings
) -> None:
    settings.OPENAI_API_KEY = "a-key"
    settings.OPENAI_BASE_URL = f"{provider.url}/v1"
    openai_space.state = EmbeddingSpace.State.BUILDING
    openai_space.save()
    local = space_create(name="own", provider="local", model="all-MiniLM-L6-v2", dimension=384, state="active")

    assert wiring.embedder_for(local).model == "all-MiniLM-L6-v2"
    assert provider.calls == []
    assert wiring.embedder_for(openai_space).embed_batch(["grit"])
    assert len(provider.calls) == 1
