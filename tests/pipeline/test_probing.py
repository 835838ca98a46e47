"""Which candidates the library could answer."""

from asyncio import run
from collections.abc import Sequence

import pytest

from corpus.embeddings import QueryVector
from corpus.search import Hit, Leg, VectorHits
from corpus.taxonomy import Authority, ContentType, scope_of
from pipeline.llm.local import LocalModel
from pipeline.probing import Probing
from tests.pipeline.fakes import WordEmbedder

CHAPTER = scope_of(Authority.PRIMARY, ContentType.BOOK_CHAPTER)


class OneChunk:
    """A library of one chunk: found by whoever searches its scope, at one similarity."""

    def __init__(self, *, scope: int = CHAPTER, similarity: float = 0.6) -> None:
        self.scope, self.similarity = scope, similarity

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        found = tuple((Hit(1, self.similarity),) if self.scope in leg.scopes else () for leg in legs)
        return VectorHits(found, coverage=0.4, floor=0.3)


class EveryText:
    """Embeds anything."""

    async def embed_texts(self, texts: Sequence[str]) -> list[QueryVector]:
        return [QueryVector(space="test", vector=None) for _ in texts]  # type: ignore[arg-type]


def probed(library: OneChunk, *texts: str) -> list[float]:
    probing = Probing(embedder=EveryText(), search=library, local=LocalModel(WordEmbedder()))  # type: ignore[arg-type]
    return list(run(_asked(probing, texts)))


async def _asked(probing: Probing, texts: Sequence[str]) -> Sequence[float]:
    return await probing(texts)


def test_one_that_reaches_a_near_chunk_is_worth_asking() -> None:
    assert probed(OneChunk(), "What is meant by a second act?") == [0.6]


def test_one_whose_best_chunk_is_under_the_coverage_line_is_not() -> None:
    assert probed(OneChunk(similarity=0.39), "What is meant by a second act?") == [0.0]


def test_one_whose_intent_does_not_reach_the_chunk_is_not() -> None:
    maxim = scope_of(Authority.ILLUSTRATIVE, ContentType.QUOTE)
    assert probed(OneChunk(scope=maxim), "What is meant by a second act?") == [0.0]


@pytest.mark.parametrize("text", ["Thank you!", "What about it?", "How do I end my life?"])
def test_one_that_no_search_would_follow_is_not(text: str) -> None:
    assert probed(OneChunk(), text) == [0.0]
