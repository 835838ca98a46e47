from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from corpus.embeddings import Embedder, LocalEmbedder, QueryEmbedder, SpaceLike, Vector, embedder_for, token_counter
from corpus.errors import EmbedderMissing
from tests.corpus.reading_in import HashEmbedder, vector_of


@dataclass
class Space:
    name: str = "one"
    provider: str = "local"
    model: str = "all-MiniLM-L6-v2"


class Queries:
    """A QueryEmbedder over a space that can be switched."""

    def __init__(self, cache_size: int = 10) -> None:
        self.space = Space()
        self.embedder = HashEmbedder()
        self.queries = QueryEmbedder(self._active, self._embedder_for, cache_size)

    async def _active(self) -> SpaceLike:
        return self.space

    def _embedder_for(self, _space: SpaceLike) -> Embedder:
        return self.embedder


async def test_a_question_is_the_weighted_mean_of_its_texts() -> None:
    found = await Queries().queries.embed_query([("a", 0.75), ("b", 0.25)])

    mean = 0.75 * vector_of("a") + 0.25 * vector_of("b")
    assert found.vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert found.space == "one"
    assert found.vector.dtype == np.float32


async def test_a_text_is_embedded_once() -> None:
    made = Queries()

    await made.queries.embed_query([("a", 1.0)])
    await made.queries.embed_texts(["a", "b", "a"])

    assert made.embedder.embedded == ["a", "b"]


async def test_another_space_has_its_own_vectors() -> None:
    made = Queries()
    await made.queries.embed_query([("a", 1.0)])

    made.space = Space(name="two")
    found = await made.queries.embed_query([("a", 1.0)])

    assert found.space == "two"
    assert made.embedder.embedded == ["a", "a"]


async def test_the_cache_lets_the_oldest_text_go() -> None:
    made = Queries(cache_size=2)

    for text in ("a", "b", "a", "c", "a", "b"):
        await made.queries.embed_query([(text, 1.0)])

    assert made.embedder.embedded == ["a", "b", "c", "b"]


async def test_the_local_model_embeds_off_the_loop_as_it_does_on_a_worker() -> None:
    local = embedder_for(Space())

    assert (await local.embed(["A second act."]))[0] == pytest.approx(local.embed_batch(["A second act."])[0], abs=1e-6)
    assert isinstance(local, LocalEmbedder)


@pytest.mark.parametrize("space", [Space(provider="openai"), Space(model="another")])
def test_a_space_that_nothing_embeds_for_is_named(space: Space) -> None:
    with pytest.raises(EmbedderMissing, match='the space "one"'):
        embedder_for(space)


def test_tokens_are_counted_without_a_limit() -> None:
    assert token_counter()("word " * 1_000) == 1_000


def shapes(vectors: Sequence[Vector]) -> list[int]:
    return [len(vector) for vector in vectors]


async def test_nothing_to_embed_is_nothing() -> None:
    assert shapes(LocalEmbedder().embed_batch([])) == []
