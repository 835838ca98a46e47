"""The library's clients, built once: embedders a process; pools and what stands on them an event loop."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connection

from corpus import embeddings
from corpus.embeddings import Embedder, QueryEmbedder, Remote, SpaceLike
from corpus.errors import CorpusError, SearchUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.answers import CONNECT_SECONDS, GraphAnswers
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import Neo4jWriter, neo4j_writer
from corpus.graph.postgres_store import PostgresGraphStore
from corpus.keep_warm import KeepWarm
from corpus.models.spaces import EmbeddingSpace, active_space
from corpus.openai_access import OpenAIAccess
from corpus.pool import RetrievalPool
from corpus.search import Search

logger = logging.getLogger(__name__)

ACTIVE_SPACE_SECONDS = 2.0
"""How long another process's switch of the active space may go unseen by the embedding of questions."""

_embedders: dict[tuple[str, str], Embedder] = {}
# Off the thread that all of Django's own async views share.
_database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="active-space")


def embedder_for(space: SpaceLike) -> Embedder:
    """The process's embedder of a space's provider and model. Raises EmbedderMissing."""
    key = (space.provider, space.model)
    if key not in _embedders:
        _embedders[key] = embeddings.embedder_for(space, openai_access())
    return _embedders[key]


def openai_access() -> OpenAIAccess | None:
    """How the settings let OpenAI be reached; None without a key. Whether it is, the spaces say."""
    if not settings.OPENAI_API_KEY:
        return None
    return OpenAIAccess(api_key=settings.OPENAI_API_KEY, base_url=settings.OPENAI_BASE_URL)


class _ActiveSpace:
    """The active space as read from the database a moment ago."""

    def __init__(self) -> None:
        self._space: EmbeddingSpace | None = None
        self._read_at = float("-inf")

    async def __call__(self) -> EmbeddingSpace:
        """Raises NoActiveSpace."""
        if self._space is None or time.monotonic() - self._read_at > ACTIVE_SPACE_SECONDS:
            self._space = await asyncio.get_running_loop().run_in_executor(_database, _read_active_space)
            self._read_at = time.monotonic()
        return self._space


def _read_active_space() -> EmbeddingSpace:
    try:
        return active_space()
    finally:
        connection.close()


@cache
def query_embedder() -> QueryEmbedder:
    """The process's embedder of questions, with its cache."""
    return QueryEmbedder(_ActiveSpace(), embedder_for)


@dataclass(frozen=True, slots=True)
class _Clients:
    """What one event loop searches with."""

    pool: RetrievalPool
    search: Search
    graph: GraphAnswers
    keeper: asyncio.Task[None]
    warmth: KeepWarm


_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, _Clients] = WeakKeyDictionary()


async def open_clients() -> None:
    """Open, warm, what the running loop searches with, unless it is open already. Raises SearchUnavailable."""
    loop = asyncio.get_running_loop()
    if loop in _clients:
        return
    pool = await RetrievalPool.open()
    graph = GraphAnswers(PostgresGraphStore(pool), _neo4j())
    keeper = loop.create_task(graph.keep(), name="graph-keeper")
    _clients[loop] = _Clients(pool, Search(pool), graph, keeper, KeepWarm(_warm))
    _clients[loop].warmth.open()
    try:
        # The first question after a start should not wait for the model to load.
        await query_embedder().embed_query([("warm", 1.0)])
    except CorpusError as error:
        logger.warning("questions cannot be embedded yet: %s", error)


async def close_clients() -> None:
    """Close what the running loop has open."""
    clients = _clients.pop(asyncio.get_running_loop(), None)
    if clients is not None:
        await clients.warmth.close()
        clients.keeper.cancel()
        with suppress(asyncio.CancelledError):
            await clients.keeper
        await clients.graph.close()
        await clients.pool.close()
    for embedder in _embedders.values():
        if isinstance(embedder, Remote):
            await embedder.close()


async def _warm() -> None:
    """Keep open what the active space's embedder needs, if it needs any."""
    _, embedder = await query_embedder().active()
    if isinstance(embedder, Remote):
        await embedder.warm()


def graph_address() -> GraphAddress | None:
    """Where the settings say that Neo4j is; None where there is none, and the record answers."""
    uri, user, password = settings.NEO4J
    return GraphAddress(uri, user, password) if uri else None


def graph_writer() -> AbstractContextManager[Neo4jWriter] | None:
    """What the projection writes with; None without a Neo4j."""
    address = graph_address()
    return neo4j_writer(address) if address else None


def _neo4j() -> Neo4jGraph | None:
    address = graph_address()
    return Neo4jGraph.connect(address, seconds=CONNECT_SECONDS) if address else None


def search_for_loop() -> Search:
    """The running loop's searches. Raises SearchUnavailable before open_clients."""
    return _clients_for_loop().search


def graph_for_loop() -> GraphAnswers:
    """The running loop's graph. Raises SearchUnavailable before open_clients."""
    return _clients_for_loop().graph


def _clients_for_loop() -> _Clients:
    try:
        return _clients[asyncio.get_running_loop()]
    except KeyError as error:
        raise SearchUnavailable("The library's clients are not open on this event loop.") from error
