"""Asking the retrieval node about a small library."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from corpus.embeddings import QueryVector
from corpus.graph.answers import GraphAnswers
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.search import Search
from pipeline.retrieval_node import retrieve
from pipeline.turn import Intent, IntentKind, MemberContext, Retrieval, SearchQuery, WeightedText
from tests.corpus.conftest import Library, question

ANYONE = MemberContext()


async def embedded() -> QueryVector:
    return question()


def intent_of(text: str, kind: IntentKind = IntentKind.GENERAL, **fields: Any) -> Intent:
    query = SearchQuery(text, (WeightedText(text),))
    return Intent(kind=kind, confidence=1, clarity=1, standalone=text, search=query, **fields)


def retrieved(
    search: Search,
    text: str = "zeal",
    kind: IntentKind = IntentKind.GENERAL,
    *,
    graph: Any = None,
    embedding: Awaitable[QueryVector] | None = None,
    member: MemberContext = ANYONE,
    **fields: Any,
) -> Retrieval:
    store = graph or GraphAnswers(PostgresGraphStore(search._pool))

    async def work() -> Retrieval:
        vector = embedding or embedded()
        return await retrieve(
            intent=intent_of(text, kind, **fields), embedding=vector, member=member, search=search, graph=store
        )

    return asyncio.run(work())


def found(retrieval: Retrieval) -> list[tuple[str, str]]:
    return [(result.phase, result.title) for result in retrieval.rag_results]


def many(library: Library, title: str, number: int, **fields: Any) -> None:
    """As many documents of one chunk each, all about zeal and unlike each other."""
    for place in range(number):
        words = " ".join(f"{title.lower()}{place}x{word}" for word in range(8))
        library.add(f"{title} {place}", f"zeal {words}", angles=[1 + place], **fields)
