"""What a search query finds, as one list under reciprocal rank fusion: both channels, their floors, and no filter."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from corpus.embeddings import LocalEmbedder, QueryEmbedder
from corpus.fusion import fuse
from corpus.models.spaces import EmbeddingSpace
from corpus.pool import RetrievalPool
from corpus.search import PublishedChunk, Search
from pipeline.phases import EVERYTHING
from pipeline.turn import SearchQuery


class Searcher:
    """Asks the database that Django points at."""

    def __init__(self, pool: RetrievalPool, space: EmbeddingSpace) -> None:
        self._search = Search(pool)
        embedder = LocalEmbedder()

        async def known() -> EmbeddingSpace:
            return space

        self._embedder = QueryEmbedder(known, lambda _space: embedder)

    async def found(self, query: SearchQuery, name: Callable[[PublishedChunk], str], limit: int) -> list[str]:
        """The names of the best `limit` chunks, best first."""
        vector = await self._embedder.embed_query([(text.text, text.weight) for text in query.texts])
        near, worded = await asyncio.gather(
            self._search.vector(vector, [EVERYTHING]), self._search.keyword(query.keywords, [EVERYTHING])
        )
        fused = fuse([(hit.chunk, hit.score) for hit in near.legs[0]], [(hit.chunk, hit.score) for hit in worded[0]])
        best = sorted(fused.values(), key=lambda one: (-one.score, one.best_rank, one.chunk))[:limit]
        published = await self._search.read([one.chunk for one in best])
        return [name(published[one.chunk]) for one in best if one.chunk in published]


@asynccontextmanager
async def searcher(space: EmbeddingSpace) -> AsyncIterator[Searcher]:
    """A searcher of the running loop, in the active space of the database that Django points at."""
    pool = await RetrievalPool.open(min_size=2, max_size=4)
    try:
        yield Searcher(pool, space)
    finally:
        await pool.close()
