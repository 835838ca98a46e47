"""Models, channels and a graph that only take their time, and how long a turn over them must take at least."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from corpus.embeddings import QueryVector
from corpus.graph.store import Edge, GraphAnswer, PersonaHit
from corpus.search import Hit, Leg, PublishedChunk, Relation, VectorHits
from corpus.taxonomy import Authority, ContentType, scope_of
from pipeline.llm.model import AnswerRequest, SuggestionReply, SuggestionRequest
from pipeline.record import JourneyView, TurnRecord
from pipeline.runner import Clients
from pipeline.turn import (
    AnswerEnd,
    AnswerPart,
    Delta,
    Intent,
    IntentKind,
    SearchQuery,
    StopReason,
    Suggestion,
    TurnRequest,
    WeightedText,
)

_SHORTEST, _LONGEST = 0.05, 0.3
_PIECES = 8
QUESTION = "Why do habits of decades resist change?"


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds that each part of one run takes."""

    intent: float
    embedding: float
    second_embedding: float
    vector: float
    keyword: float
    read: float
    concepts: float
    edges: float
    persona: float
    relations: float
    first_word: float
    piece: float
    suggestions: float
    probe: float
    finish: float
    rewritten: bool

    def found(self) -> float:
        """When retrieval is done: the slowest of its channels, then the reading of what they found."""
        vector_known = self.intent + self.second_embedding if self.rewritten else max(self.intent, self.embedding)
        graph = self.concepts + max(self.edges, self.persona) + self.relations
        return max(vector_known + self.vector, self.intent + self.keyword, self.intent + graph) + self.read

    def first_word_at(self) -> float:
        """When the first word can be out."""
        return self.found() + self.first_word

    def critical_path(self) -> float:
        """How long the turn must take: retrieval, the slower of answer and suggestions, and the storing."""
        answer = self.first_word + _PIECES * self.piece
        return self.found() + max(answer, self.suggestions + self.probe) + self.finish


def drawn(source: random.Random) -> Times:
    """Times for one run; half of the runs search with another text than the question's own."""
    seconds = {field.name: source.uniform(_SHORTEST, _LONGEST) for field in fields(Times) if field.name != "rewritten"}
    # Answers come in pieces: all of them together take one such time. Graph steps share the time limit of the look-up.
    seconds["piece"] /= _PIECES
    for name in ("concepts", "edges", "persona", "relations"):
        seconds[name] = source.uniform(_SHORTEST, 0.13)
    return Times(**seconds, rewritten=source.random() < 0.5)


class TimedModel:
    """Classifies, answers and suggests in the time given."""

    name = "timed"

    def __init__(self, times: Times) -> None:
        self._times = times

    async def classify(self, request: TurnRequest, prompt: str) -> Intent:
        await asyncio.sleep(self._times.intent)
        text = f"{request.question} Rewritten." if self._times.rewritten else request.question
        search = SearchQuery(text, (WeightedText(text),))
        return Intent(IntentKind.EXPLORATION, 0.9, 0.9, request.question, search, concepts=("habit",))

    async def answer(self, request: AnswerRequest) -> AsyncGenerator[AnswerPart, None]:
        # Like a provider, it keeps its own time: a reader who is late does not make the next piece later.
        loop = asyncio.get_running_loop()
        due = loop.time() + self._times.first_word
        for number in range(_PIECES):
            await asyncio.sleep(due - loop.time())
            yield Delta(f"Piece {number}. ")
            due += self._times.piece
        await asyncio.sleep(due - loop.time())
        yield AnswerEnd(StopReason.COMPLETE)

    async def suggest(self, request: SuggestionRequest) -> SuggestionReply:
        await asyncio.sleep(self._times.suggestions)
        return SuggestionReply(tuple(Suggestion(f"What about subject{number}?", "") for number in range(6)))

    async def ping(self) -> None:
        return None


class TimedSearch:
    """Finds the same few chunks in the time given."""

    def __init__(self, times: Times) -> None:
        self._times = times
        self._chunks = {number: _chunk(number) for number in range(1, 13)}

    async def vector(self, query: QueryVector, legs: Sequence[Leg]) -> VectorHits:
        await asyncio.sleep(self._times.vector)
        return VectorHits(self._hits(legs))

    async def keyword(self, text: str, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        await asyncio.sleep(self._times.keyword)
        return self._hits(legs)

    async def read(self, chunks: Sequence[int]) -> dict[int, PublishedChunk]:
        await asyncio.sleep(self._times.read)
        return {chunk: self._chunks[chunk] for chunk in chunks if chunk in self._chunks}

    async def concept_names(self, text: str) -> list[tuple[str, int]]:
        await asyncio.sleep(self._times.concepts)
        return [("habit", 1)]

    async def relations(self, relationships: Sequence[int]) -> dict[int, Relation]:
        await asyncio.sleep(self._times.relations)
        return {number: Relation("habit", "resists", "change") for number in relationships}

    async def nearest_title(self, query: QueryVector) -> str:
        return ""

    def _hits(self, legs: Sequence[Leg]) -> tuple[tuple[Hit, ...], ...]:
        scope = scope_of(Authority.PRIMARY, ContentType.BOOK_CHAPTER)
        hits = tuple(Hit(number, 1 - number / 100) for number in self._chunks)
        return tuple(hits if scope in leg.scopes else () for leg in legs)


class TimedGraph:
    """Knows one relationship and takes its time to say so."""

    def __init__(self, times: Times) -> None:
        self._times = times

    async def edges(self, concepts: Sequence[int]) -> GraphAnswer[Edge]:
        await asyncio.sleep(self._times.edges)
        edge = Edge(relationship=1, source=1, target=2, kind="resists", hops=1, score=1, proof=1)
        return GraphAnswer((edge,), "postgres")

    async def persona_chunks(self, concepts: Sequence[int], persona: str) -> GraphAnswer[PersonaHit]:
        await asyncio.sleep(self._times.persona)
        return GraphAnswer((), "postgres")


def _chunk(number: int) -> PublishedChunk:
    return PublishedChunk(
        id=number,
        public_id=f"chunk-{number}",
        document=f"document-{number}",
        title=f"Title {number}",
        creator="Somebody",
        authority=Authority.PRIMARY,
        content_type=ContentType.BOOK_CHAPTER,
        heading_path=(),
        locator={},
        ordinal=number,
        text=f"Chunk {number}: " + f"habit resists change, said witness {number}. " * 25,
        content_hash=str(number),
    )


def clients_taking(times: Times) -> Clients:
    """The clients of a turn, with these times."""
    model = TimedModel(times)

    async def embed(texts: Sequence[tuple[str, float]]) -> QueryVector:
        again = texts[0][0] != QUESTION
        await asyncio.sleep(times.second_embedding if again else times.embedding)
        return QueryVector("space", np.full(4, 0.5, dtype=np.float32))

    async def finish(record: TurnRecord) -> JourneyView:
        await asyncio.sleep(times.finish)
        return JourneyView()

    async def probe(texts: Sequence[str]) -> list[float]:
        await asyncio.sleep(times.probe)
        return [0.5] * len(texts)

    async def help_line(country: str) -> str:
        return ""

    search: object = TimedSearch(times)
    return Clients(
        intent_model=model,
        answer_model=model,
        suggestion_model=model,
        local=TimedModel(times),
        embed_query=embed,
        search=search,  # type: ignore[arg-type]
        graph=TimedGraph(times),
        finish=finish,
        probe=probe,
        help_line=help_line,
    )
