"""An embedder that needs no model. It imports no model of Django's either, so that a worker can start from it."""

import hashlib
from collections.abc import Sequence

import numpy as np

from corpus.embeddings import Embedder, SpaceLike, Vector
from corpus.errors import EmbedderUnavailable

DIMENSION = 16


class HashEmbedder:
    """Vectors out of a text's hash; fails after so many texts when told to."""

    model = "angles"
    dimension = DIMENSION

    def __init__(self, *, fails_after: int | None = None) -> None:
        self.embedded: list[str] = []
        self.fails_after = fails_after

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        if self.fails_after is not None and len(self.embedded) >= self.fails_after:
            raise EmbedderUnavailable("The embedding service does not answer.")
        self.embedded.extend(texts)
        return [vector_of(text) for text in texts]

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return self.embed_batch(texts)

    def ping(self) -> None:
        return

    def __call__(self, _space: SpaceLike) -> Embedder:
        """As `embedder_for`: itself for every space."""
        return self


def vector_of(text: str) -> Vector:
    """The vector a HashEmbedder gives a text."""
    numbers = np.frombuffer(hashlib.sha256(text.encode()).digest()[:DIMENSION], dtype=np.uint8).astype(np.float32)
    return numbers / np.float32(np.linalg.norm(numbers))
