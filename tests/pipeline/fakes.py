"""Fakes that behave: models, a library and a graph in memory, each with the time it takes; and makers of values."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from corpus.embeddings import Vector
from corpus.taxonomy import Authority, ContentType
from pipeline.llm.model import AnswerRequest, SuggestionReply, SuggestionRequest
from pipeline.turn import (
    AnswerEnd,
    AnswerPart,
    Context,
    Delta,
    Intent,
    IntentKind,
    MemoryTurn,
    RagResult,
    SearchQuery,
    Source,
    StopReason,
    Suggestion,
    TurnRequest,
    WeightedText,
)


class FakeModel:
    """A language model that says what it was given, after the time it was given."""

    name = "fake"

    def __init__(
        self,
        parts: Sequence[AnswerPart | Exception] = (),
        *,
        intent: Intent | Exception | None = None,
        candidates: Sequence[str] | Exception = ("What is grit?", "Who was Ada?", "How do I begin?", "Why rest?"),
        seconds: float = 0.0,
        pause: float = 0.0,
    ) -> None:
        self.parts = [*parts]
        self.intent = intent
        self.candidates = candidates
        self.seconds = seconds
        self.pause = pause
        self.asked: list[AnswerRequest] = []
        self.calls: list[str] = []
        self.closed = False
        self.begun = asyncio.Event()

    async def classify(self, request: TurnRequest, prompt: str) -> Intent:
        self.calls.append("classify")
        self.begun.set()
        await asyncio.sleep(self.seconds)
        if isinstance(self.intent, Exception):
            raise self.intent
        return self.intent or intent_of(request.question)

    async def answer(self, request: AnswerRequest) -> AsyncGenerator[AnswerPart, None]:
        self.calls.append("answer")
        self.asked.append(request)
        try:
            await asyncio.sleep(self.seconds)
            for part in self.parts:
                if isinstance(part, Exception):
                    raise part
                yield part
                await asyncio.sleep(self.pause)
        finally:
            self.closed = True

    async def suggest(self, request: SuggestionRequest) -> SuggestionReply:
        self.calls.append("suggest")
        await asyncio.sleep(self.seconds)
        if isinstance(self.candidates, Exception):
            raise self.candidates
        return SuggestionReply(tuple(Suggestion(text, "because you asked") for text in self.candidates))

    async def ping(self) -> None:
        return None


class WordEmbedder:
    """Embeds a text as the sum of fixed random vectors of its words: texts that share words are near."""

    model = "words"
    dimension = 64

    def __init__(self) -> None:
        self.embedded = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return self.embed_batch(texts)

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        self.embedded += len(texts)
        return [self._vector(text) for text in texts]

    def ping(self) -> None:
        return None

    def _vector(self, text: str) -> Vector:
        total = np.full(self.dimension, 1e-3, dtype=np.float32)
        for word in text.lower().split():
            seed = int.from_bytes(blake2b(word.strip("?.,!").encode(), digest_size=8).digest())
            total += np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        return total / np.linalg.norm(total)


def intent_of(question: str, **fields: object) -> Intent:
    """A sure and clear verdict about a question."""
    plain = Intent(
        kind=IntentKind.CONCEPT_EXPLANATION,
        confidence=0.9,
        clarity=0.9,
        standalone=question,
        search=SearchQuery(question, (WeightedText(question),)),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def request_of(question: str, *memory: MemoryTurn, **fields: object) -> TurnRequest:
    """A question of a conversation."""
    plain = TurnRequest(turn="t", conversation="c", number=len(memory) + 1, question=question, memory=memory)
    return replace(plain, **fields)  # type: ignore[arg-type]


def remembered(question: str, answer: str = "An answer.", status: str = "answered", **fields: object) -> MemoryTurn:
    """An earlier turn."""
    return replace(MemoryTurn(question, question, answer, status), **fields)  # type: ignore[arg-type]


def result_of(
    chunk: int, content: str = "Failure teaches.", *, authority: Authority = Authority.PRIMARY, **fields: object
) -> RagResult:
    """A retrieved chunk; each of its own document unless told otherwise."""
    plain = RagResult(
        chunk=chunk,
        public_id=f"chunk-{chunk}",
        document=f"document-{chunk}",
        title=f"Title {chunk}",
        content=content,
        authority=authority,
        content_type=ContentType.BOOK_CHAPTER,
        heading_path=(),
        locator={"page": "1"},
        ordinal=chunk * 10,
        source=f"Somebody: Title {chunk}",
        phase="phase_1" if authority is Authority.PRIMARY else "phase_2",
        rrf_score=1.0,
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def source_of(number: int, text: str, authority: Authority = Authority.PRIMARY) -> Source:
    """A numbered source."""
    return Source(
        number=number,
        document=f"document-{number}",
        chunk=f"chunk-{number}",
        title=f"Title {number}",
        authority=authority,
        content_type=ContentType.BOOK_CHAPTER,
        locator={},
        heading_path=(),
        text=text,
        excerpt=text[:300],
        link=f"/api/v1/documents/document-{number}",
    )


def context_of(*texts: str) -> Context:
    """A context of primary sources with these texts."""
    return Context(sources=tuple(source_of(number, text) for number, text in enumerate(texts, start=1)))


def said(*texts: str, stop: StopReason = StopReason.COMPLETE) -> list[AnswerPart]:
    """An answer in pieces, with its end."""
    return [*(Delta(text) for text in texts), AnswerEnd(stop)]
