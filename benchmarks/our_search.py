"""The product's retrieval as the benchmarks call it: its own searches, fusion, order and node on a real Postgres."""

import asyncio
from collections.abc import Sequence

from corpus.embeddings import QueryVector
from corpus.fusion import choose
from corpus.graph.answers import GraphAnswers
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.ordering import in_order
from corpus.pool import RetrievalPool
from corpus.search import Leg, PublishedChunk, Search
from pipeline.phases import EVERYTHING, PHASE_1_SLOTS, PHASE_2_SLOTS, PhaseFound
from pipeline.retrieval_node import retrieve
from pipeline.turn import Intent, IntentKind, MemberContext, Retrieval, SearchQuery, WeightedText

DEPTH = 100


class OurSearch:
    """Every way of asking that is measured. Chunks are named by the item they were made of."""

    def __init__(self, pool: RetrievalPool) -> None:
        self.search = Search(pool)
        self.graph = GraphAnswers(PostgresGraphStore(pool))

    async def hybrid(
        self, question: str, vector: QueryVector, *, leg: Leg = EVERYTHING, limit: int = DEPTH
    ) -> list[str]:
        """Both channels as one list: fused, collapsed, and its first re-ordered as those of a phase are."""
        near, worded = await asyncio.gather(self.search.vector(vector, [leg]), self.search.keyword(question, [leg]))
        found = PhaseFound(near, worded)
        wanted = found.likely if limit <= PHASE_1_SLOTS + PHASE_2_SLOTS else found.chunks
        published = await self.search.read(sorted(wanted))
        (candidates,) = found.candidates(published)
        chosen = choose(candidates, limit)
        first = in_order(chosen[:PHASE_1_SLOTS])
        return [_item(published[one.found.chunk]) for one in (*first, *chosen[PHASE_1_SLOTS:])]

    async def vector(self, vector: QueryVector) -> list[str]:
        """The vector channel alone."""
        found = await self.search.vector(vector, [EVERYTHING])
        return await self._items([hit.chunk for hit in found.legs[0]])

    async def keyword(self, question: str) -> list[str]:
        """The keyword channel alone."""
        (found,) = await self.search.keyword(question, [EVERYTHING])
        return await self._items([hit.chunk for hit in found])

    async def node(self, question: str, vector: QueryVector, kind: IntentKind) -> Retrieval:
        """The whole retrieval node."""
        intent = Intent(
            kind=kind,
            confidence=1.0,
            clarity=1.0,
            standalone=question,
            search=SearchQuery(question, (WeightedText(question),)),
        )
        return await retrieve(
            intent=intent,
            embedding=_known(vector),
            member=MemberContext(),
            search=self.search,
            graph=self.graph,
        )

    async def phase_1(self, question: str, vector: QueryVector) -> list[str]:
        """Phase 1 of the node, for an intent whose first phase is the primary book chapters and frameworks."""
        found = await self.node(question, vector, IntentKind.CONCEPT_EXPLANATION)
        return [str(one.locator["item"]) for one in found.rag_results if one.phase == "phase_1"]

    async def _items(self, chunks: Sequence[int]) -> list[str]:
        published = await self.search.read(chunks)
        return [_item(published[chunk]) for chunk in chunks if chunk in published]


def _item(chunk: PublishedChunk) -> str:
    return str(chunk.locator["item"])


async def _known(vector: QueryVector) -> QueryVector:
    return vector
