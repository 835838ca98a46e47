"""Turning text into vectors: the Embedder protocol, and the adapters behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""One embedding, of unit length, shape (dimension,)."""


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
