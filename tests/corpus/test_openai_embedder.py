"""OpenAI's embeddings over the wire."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import numpy as np
import pytest
import pytest_asyncio

from benchmarks.provider import Provider
from benchmarks.provider.embeddings import DIMENSION, vector_of, vectors_reply
from benchmarks.provider.replies import Reply, error_reply, json_reply, silence
from corpus.embeddings import Embedder, embedder_for
from corpus.errors import EmbedderMissing, EmbedderUnavailable
from corpus.openai_access import OpenAIAccess, OpenAILimits
from corpus.openai_embedder import MAX_BYTES, MAX_BYTES_A_TEXT, MAX_ITEMS, OpenAIEmbedder, batches_of
from tests.corpus.test_embeddings import Space

SPACE = Space(name="small", provider="openai", model="text-embedding-3-small")
PATIENT = OpenAILimits(query=20.0, query_tries=2, batch=20.0, batch_tries=3)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest_asyncio.fixture
async def embedder(provider: Provider) -> AsyncIterator[OpenAIEmbedder]:
    made = made_for(provider)
    yield made
    await made.close()


def made_for(provider: Provider, limits: OpenAILimits = PATIENT) -> OpenAIEmbedder:
    access = OpenAIAccess(api_key="a-key", base_url=f"{provider.url}/v1", limits=limits)
    made: Embedder = embedder_for(SPACE, access)
    assert isinstance(made, OpenAIEmbedder)
    return made


async def test_each_text_gets_its_own_unit_vector_in_order(embedder: OpenAIEmbedder) -> None:
    found = await embedder.embed(["grit", "rest and grit", "grit"])

    assert [vector.shape for vector in found] == [(DIMENSION,)] * 3
    assert found[1] == pytest.approx(vector_of("rest and grit"), abs=1e-6)
    assert found[0] == pytest.approx(found[2])
    assert all(vector.dtype == np.float32 for vector in found)


def test_a_worker_gets_the_same(provider: Provider) -> None:
    (found,) = made_for(provider).embed_batch(["grit"])
    assert found == pytest.approx(vector_of("grit"), abs=1e-6)


@pytest.mark.parametrize(
    ("texts", "sizes"),
    [
        (["a"] * (MAX_ITEMS + 1), [MAX_ITEMS, 1]),
        (["x" * 8_000] * 40, [37, 3]),
        ([], []),
        (["😀" * 5_000], [1]),
    ],
    ids=["items", "sum", "nothing", "one long text"],
)
def test_requests_keep_to_the_limits_of_the_api(texts: list[str], sizes: list[int]) -> None:
    batches = list(batches_of(texts))

    assert [len(batch) for batch in batches] == sizes
    assert all(sum(len(text.encode()) for text in batch) <= MAX_BYTES for batch in batches)
    assert all(0 < len(text.encode()) <= MAX_BYTES_A_TEXT for batch in batches for text in batch)


def test_a_blank_text_is_sent_as_something_that_the_api_takes(provider: Provider) -> None:
    assert len(made_for(provider).embed_batch(["", "  \n"])) == 2


def test_many_texts_take_several_requests(provider: Provider) -> None:
    assert len(made_for(provider).embed_batch(["word " * 1_000] * 100)) == 100
    assert len(provider.calls) == 2


def with_vectors(change: str) -> Reply:
    good = vector_of("grit")
    wrong = {
        "none": [],
        "two": [good, good],
        "short": [good[:5]],
        "nan": [np.full(DIMENSION, np.nan, dtype=np.float32)],
        "infinite": [np.full(DIMENSION, np.inf, dtype=np.float32)],
        "zero": [np.zeros(DIMENSION, dtype=np.float32)],
    }
    return vectors_reply(wrong[change])


BAD = {name: with_vectors(name) for name in ("none", "two", "short", "nan", "infinite", "zero")} | {
    "index": json_reply({"data": [{"index": 7, "embedding": [1.0] * DIMENSION}]}),
    "no data": json_reply({"object": "list"}),
    "a string": json_reply("none"),
    "a page": Reply(200, {"content-type": "text/html"}, [b"<html>"]),
    "bad base64": json_reply({"data": [{"index": 0, "embedding": "%%%"}]}),
}


@pytest.mark.parametrize("name", BAD)
async def test_vectors_that_are_none_are_refused(provider: Provider, embedder: OpenAIEmbedder, name: str) -> None:
    provider.play("embeddings", BAD[name])
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed(["grit"])


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_question_is_asked_again_once(provider: Provider, embedder: OpenAIEmbedder, status: int) -> None:
    good: Reply = vectors_reply([vector_of("grit")])
    provider.play("embeddings", error_reply(status, "server_error"), good)

    assert len(await embedder.embed(["grit"])) == 1
    assert len(provider.calls) == 2


async def test_a_refused_key_is_not_tried_again_and_is_no_lasting_fault(
    provider: Provider, embedder: OpenAIEmbedder
) -> None:
    provider.play("embeddings", error_reply(401, "invalid_api_key"))
    with pytest.raises(EmbedderUnavailable, match="401") as raised:
        await embedder.embed(["grit"])

    assert not raised.value.permanent
    assert len(provider.calls) == 1


async def test_a_silent_provider_costs_a_question_its_short_limit_and_later_ones_nothing(provider: Provider) -> None:
    provider.play("embeddings", silence())
    made = made_for(provider, replace(PATIENT, query=0.2))
    for _ in range(5):
        with pytest.raises(EmbedderUnavailable):
            await made.embed(["grit"])

    assert len(provider.calls) <= 2
    with pytest.raises(EmbedderUnavailable):
        made.ping()
    await made.close()


async def test_a_provider_that_is_back_is_used_again(provider: Provider, embedder: OpenAIEmbedder) -> None:
    provider.play("embeddings", error_reply(401, "x"), error_reply(401, "x"), vectors_reply([vector_of("warm")]))
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed(["grit"])

    await embedder.warm()
    assert len(await embedder.embed(["warm"])) == 1
    embedder.ping()


def test_a_worker_keeps_the_pause_that_is_asked_for(provider: Provider) -> None:
    provider.play("embeddings", error_reply(429, "rate", retry_after="1"), vectors_reply([vector_of("grit")]))
    made_for(provider).embed_batch(["grit"])

    first, second = provider.calls
    assert second.arrived - first.arrived >= 1.0


def test_a_worker_gives_up_in_the_end(provider: Provider) -> None:
    provider.play("embeddings", error_reply(503, "down"))
    with pytest.raises(EmbedderUnavailable, match="503"):
        made_for(provider).embed_batch(["grit"])

    assert len(provider.calls) == 3


def test_each_loop_has_a_client_of_its_own(provider: Provider) -> None:
    made = made_for(provider)

    async def ask() -> int:
        try:
            return len(await made.embed(["grit"]))
        finally:
            await made.close()

    assert [asyncio.run(ask()), asyncio.run(ask())] == [1, 1]


def test_without_a_key_the_space_says_what_is_missing() -> None:
    with pytest.raises(EmbedderMissing, match="OPENAI_API_KEY"):
        embedder_for(SPACE)


def test_a_model_that_is_not_known_is_named() -> None:
    with pytest.raises(EmbedderMissing, match="ada"):
        embedder_for(replace(SPACE, model="ada"), OpenAIAccess(api_key="k"))


def test_a_key_alone_imports_no_sdk_and_embeds_nothing() -> None:
    program = (
        "import sys\n"
        "from corpus.embeddings import LocalEmbedder, embedder_for\n"
        "from corpus.openai_access import OpenAIAccess\n"
        "class Space: name, provider, model = 'one', 'local', 'all-MiniLM-L6-v2'\n"
        "assert isinstance(embedder_for(Space(), OpenAIAccess(api_key='k')), LocalEmbedder)\n"
        "assert 'openai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
