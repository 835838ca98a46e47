"""A search that remembers what it found, so that a list can be explained by the code that made it."""

from collections.abc import Sequence

from corpus.embeddings import QueryVector
from corpus.search import Hit, Leg, PublishedChunk, Search, VectorHits

Legs = tuple[Leg, ...]


class RecordingSearch(Search):
    """Searches as the one it is made from, and keeps the answers by the legs that were asked for."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.pool)
        self.vectors: dict[Legs, VectorHits] = {}
        self.keywords: dict[Legs, tuple[tuple[Hit, ...], ...]] = {}
        self.published: dict[int, PublishedChunk] = {}
        self.query: QueryVector | None = None

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        """As Search.vector."""
        found = await super().vector(query, legs)
        self.vectors[tuple(legs)] = found
        self.query = query
        return found

    async def keyword(self, text: str, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        """As Search.keyword."""
        found = await super().keyword(text, legs)
        self.keywords[tuple(legs)] = found
        return found

    async def read(self, chunks: Sequence[int]) -> dict[int, PublishedChunk]:
        """As Search.read."""
        found = await super().read(chunks)
        self.published |= found
        return found

    async def read_all(self) -> None:
        """Read what was found and not read: the node reads no more than it needs to choose."""
        legs = [leg for hits in self.vectors.values() for leg in hits.legs]
        legs += [leg for found in self.keywords.values() for leg in found]
        await self.read(sorted({hit.chunk for leg in legs for hit in leg} - self.published.keys()))
