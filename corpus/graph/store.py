"""What a graph store answers. Stores return ids only: texts and status are read through corpus.search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

MAX_EDGES = 200
MAX_PERSONA_CHUNKS = 40


@dataclass(frozen=True, slots=True)
class Edge:
    """One relationship near the question's concepts. `score` is the integer of corpus.graph.ranking.edge_score."""

    relationship: int
    source: int
    target: int
    kind: str
    hops: int
    score: int
    proof: int | None


@dataclass(frozen=True, slots=True)
class PersonaHit:
    """A chunk that mentions a concept of the persona and one of the question."""

    chunk: int
    mentions: int


class GraphStore(Protocol):
    """Answers traversals of the knowledge graph. Every method raises SearchUnavailable or GraphUnavailable."""

    origin: str
    """neo4j or postgres."""

    async def edges(self, concepts: Sequence[int]) -> list[Edge]:
        """The best MAX_EDGES edges within two hops of the concepts, by score, ties by id."""
        ...

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> list[PersonaHit]:
        """The best MAX_PERSONA_CHUNKS chunks mentioning a concept of both, by mentions, ties by id."""
        ...

    async def ping(self) -> None:
        """Return when it could answer now."""
        ...


Found = TypeVar("Found", Edge, PersonaHit)


@dataclass(frozen=True, slots=True)
class GraphAnswer(Generic[Found]):
    """What a store found. `degraded`: it was not the store that should have answered."""

    items: tuple[Found, ...]
    origin: str
    degraded: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the graph store has followed the record.

    `pending`: the record has changes that it does not know. Without a generation there is nothing in it to be asked.
    """

    generation: int | None = None
    version: int = 0
    pending: bool = False


class Graph(Protocol):
    """The graph as the pipeline asks it: the store that can, answers. Every method raises SearchUnavailable."""

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        """The best MAX_EDGES edges within two hops of the concepts, by score, ties by id."""
        ...

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> GraphAnswer[PersonaHit]:
        """The best MAX_PERSONA_CHUNKS chunks mentioning a concept of both, by mentions, ties by id."""
        ...
