"""A library and a graph in memory, and the clients of a turn made of them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from corpus.embeddings import QueryVector
from corpus.graph.store import Edge, GraphAnswer, PersonaHit
from corpus.search import Hit, Leg, PublishedChunk, Relation, VectorHits
from corpus.taxonomy import Authority, ContentType, scope_of
from pipeline import events
from pipeline.record import JourneyView, TurnRecord
from pipeline.runner import Clients, run_turn
from pipeline.turn import TurnRequest
from tests.pipeline.fakes import FakeModel


def chunk_of(number: int, text: str, authority: Authority = Authority.PRIMARY) -> PublishedChunk:
    """A published chunk, alone in its document."""
    return PublishedChunk(
        id=number,
        public_id=f"chunk-{number}",
        document=f"document-{number}",
        title=f"Title {number}",
        creator="Somebody",
        authority=authority,
        content_type=ContentType.BOOK_CHAPTER,
        heading_path=(),
        locator={},
        ordinal=0,
        text=text,
        content_hash=f"hash-{number}",
    )


class FakeSearch:
    """Both channels find every chunk in the scopes asked for, in the order of the library."""

    def __init__(self, chunks: Sequence[PublishedChunk] = (), seconds: float = 0.0) -> None:
        self.chunks = {chunk.id: chunk for chunk in chunks}
        self.seconds = seconds
        self.calls: list[str] = []

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        await self._called("vector")
        return VectorHits(tuple(self._hits(leg) for leg in legs))

    async def keyword(self, text: str, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        await self._called("keyword")
        return tuple(self._hits(leg) for leg in legs)

    async def read(self, chunks: Sequence[int]) -> dict[int, PublishedChunk]:
        await self._called("read")
        return {chunk: self.chunks[chunk] for chunk in chunks}

    async def nearest_title(self, query: QueryVector) -> str:
        return "The nearest thing"

    async def concept_names(self, text: str) -> list[tuple[str, int]]:
        await self._called("concept_names")
        return []

    async def relations(self, relationships: Sequence[int]) -> Mapping[int, Relation]:
        return {}

    def _hits(self, leg: Leg) -> tuple[Hit, ...]:
        inside = (c for c in self.chunks.values() if scope_of(c.authority, c.content_type) in leg.scopes)
        return tuple(Hit(chunk.id, 1 - position / 100) for position, chunk in enumerate(inside))

    async def _called(self, name: str) -> None:
        self.calls.append(name)
        await asyncio.sleep(self.seconds)


class FakeGraph:
    """A graph without edges."""

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        return GraphAnswer((), "postgres")

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> GraphAnswer[PersonaHit]:
        return GraphAnswer((), "postgres")


@dataclass
class World:
    """Everything a turn talks to, and what it was asked to do."""

    model: FakeModel = field(default_factory=FakeModel)
    local: FakeModel = field(default_factory=FakeModel)
    search: FakeSearch = field(default_factory=lambda: FakeSearch([chunk_of(1, "Failure is the best teacher.")]))
    embed_seconds: float = 0.0
    view: JourneyView | None = field(default_factory=lambda: JourneyView(stage="looking_back"))
    embedded: list[Sequence[tuple[str, float]]] = field(default_factory=list)
    embeddings_cancelled: int = 0
    finished: list[TurnRecord] = field(default_factory=list)

    @property
    def clients(self) -> Clients:
        """The clients of a turn in this world."""
        return Clients(
            intent_model=self.model,
            answer_model=self.model,
            suggestion_model=self.model,
            local=self.local,
            embed_query=self._embed,
            search=self.search,  # type: ignore[arg-type]
            graph=FakeGraph(),
            finish=self._finish,
            probe=self._probe,
            help_line=self._help_line,
        )

    async def _embed(self, texts: Sequence[tuple[str, float]]) -> QueryVector:
        self.embedded.append(tuple(texts))
        try:
            await asyncio.sleep(self.embed_seconds)
        except asyncio.CancelledError:
            self.embeddings_cancelled += 1
            raise
        return QueryVector("space-1", np.full(4, 0.5, dtype=np.float32))

    async def _finish(self, record: TurnRecord) -> JourneyView | None:
        self.finished.append(replace(record))
        return self.view

    async def _probe(self, texts: Sequence[str]) -> list[float]:
        return [0.5 for _ in texts]

    async def _help_line(self, country: str) -> str:
        return f"Help for {country or 'everyone'}."


async def events_of(world: World, request: TurnRequest) -> list[events.Event]:
    """All events of a turn, after which nothing may be left running."""
    found = [event async for event in run_turn(request=request, clients=world.clients)]
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return found


def names_of(found: list[events.Event]) -> list[str]:
    """The events' types, a status with its node."""
    return [f"{event.type} {event.node}" if isinstance(event, events.Status) else event.type for event in found]
