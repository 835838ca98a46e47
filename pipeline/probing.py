"""Whether the library could answer a question, told before anybody asks it: searched for as a turn would."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from corpus.embeddings import QueryEmbedder, QueryVector
from corpus.search import Search
from pipeline.clarification_gate import pass_gate
from pipeline.intents import INTENT_TABLE, strategy_of
from pipeline.llm.model import LanguageModel
from pipeline.phases import plan_of
from pipeline.turn import Intent, TurnRequest


class Probing:
    """Asks the library about candidates for suggestions, all embedded in one call."""

    def __init__(self, *, embedder: QueryEmbedder, search: Search, local: LanguageModel) -> None:
        self._embedder = embedder
        self._search = search
        self._local = local

    async def __call__(self, texts: Sequence[str]) -> Sequence[float]:
        """For each text the similarity of the best chunk that its own intent reaches; 0 for one not worth asking.

        That is one which the clarification gate would ask back about, which needs no retrieval, or which has no chunk
        at the space's coverage line. Raises EmbedderUnavailable, SearchUnavailable.
        """
        vectors, intents = await asyncio.gather(
            self._embedder.embed_texts(texts), asyncio.gather(*(self._intent(text) for text in texts))
        )
        found = zip(vectors, texts, intents, strict=True)
        return await asyncio.gather(*(self._nearest(vector, text, intent) for vector, text, intent in found))

    async def _intent(self, text: str) -> Intent:
        return await self._local.classify(_request(text), "")

    async def _nearest(self, vector: QueryVector, text: str, intent: Intent) -> float:
        if not intent.needs_retrieval or intent.care or pass_gate(request=_request(text), intent=intent) is not None:
            return 0.0
        plan = plan_of(INTENT_TABLE[strategy_of(intent.kind, intent.confidence)])
        hits = await self._search.vector(vector, [replace(leg, limit=1) for leg in (*plan.phase_1, *plan.phase_2)])
        best = max((hit.score for leg in hits.legs for hit in leg), default=0.0)
        return best if hits.coverage is None or best >= hits.coverage else 0.0


def _request(text: str) -> TurnRequest:
    return TurnRequest(turn="", conversation="", number=1, question=text)
