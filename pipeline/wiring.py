"""Everything a run and its followers talk to, built once for each running event loop.

`serve` opens it on the server's loop, `ask` and tests on their own; a Celery task that only ends abandoned turns opens
the streams alone.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connection

from corpus import wiring as corpus_wiring
from corpus.embeddings import LocalEmbedder
from corpus.errors import CorpusError
from pipeline.errors import NoRunLoop
from pipeline.help_lines import help_line_text
from pipeline.hub import Hub
from pipeline.llm.choosing import LanguageModels, is_local, models_of_settings
from pipeline.llm.local import LocalModel
from pipeline.llm.model import LanguageModel
from pipeline.log_writer import LogWriter
from pipeline.probing import Probing
from pipeline.record import JourneyView, TurnRecord
from pipeline.run_log import RunLog
from pipeline.runner import Clients
from pipeline.watch import Watch
from pipeline.writes import write


@dataclass(frozen=True, slots=True)
class Streams:
    """The event logs and the channel layer, as one event loop uses them."""

    log: RunLog
    hub: Hub


@dataclass(frozen=True, slots=True)
class Station:
    """What the runs and followers of one event loop share."""

    log: RunLog
    hub: Hub
    writer: LogWriter
    watch: Watch
    clients: Clients
    """Their `finish` is each run's own."""
    models: LanguageModels | None = None
    """What was opened for the clients here; None where they were passed in."""

    @property
    def log_timeout(self) -> float:
        """How long a run waits for the log, in seconds."""
        return float(getattr(settings, "LOG_TIMEOUT_SECONDS", 2.0))


_stations: WeakKeyDictionary[asyncio.AbstractEventLoop, Station] = WeakKeyDictionary()


async def open_clients(*, clients: Clients | None = None) -> Station:
    """Open everything for the running loop, with these clients of the nodes or else those of the settings.

    Raises LogUnavailable, SearchUnavailable and whatever else does not answer.
    """
    models = None if clients is not None else await _open_models()
    ready = clients if models is None else await _open_run_clients(models)
    assert ready is not None
    log, hub = RunLog.from_settings(), Hub()
    await log.ping()
    await hub.open()
    writer, watch = LogWriter(log, hub.accepted), Watch(log, hub)
    writer.open()
    watch.open()
    station = Station(log, hub, writer, watch, ready, models)
    _stations[asyncio.get_running_loop()] = station
    return station


async def close_clients() -> None:
    """Close what the running loop has open."""
    opened = _stations.pop(asyncio.get_running_loop(), None)
    if opened is not None:
        await opened.watch.close()
        await opened.writer.close()
        await opened.hub.close()
        await opened.log.close()
        if opened.models is not None:
            await opened.models.close()
    await corpus_wiring.close_clients()


def station_of(loop: asyncio.AbstractEventLoop) -> Station:
    """What this loop has open. Raises NoRunLoop."""
    try:
        return _stations[loop]
    except KeyError as error:
        raise NoRunLoop from error


@asynccontextmanager
async def streams() -> AsyncIterator[Streams]:
    """Only what it takes to end an abandoned turn."""
    log, hub = RunLog.from_settings(), Hub()
    await hub.open(listen=False)
    try:
        yield Streams(log, hub)
    finally:
        await hub.close()
        await log.close()


def pings() -> dict[str, Callable[[], Awaitable[None]]]:
    """For each dependency a call that returns when it answers; to be used on the server's loop."""

    async def postgres() -> None:
        await write(_select_one)

    async def redis() -> None:
        await station_of(asyncio.get_running_loop()).log.ping()

    async def search() -> None:
        await corpus_wiring.search_for_loop().ping()

    async def model() -> None:
        await station_of(asyncio.get_running_loop()).clients.answer_model.ping()

    async def embeddings() -> None:
        _, embedder = await corpus_wiring.query_embedder().active()
        await asyncio.to_thread(embedder.ping)

    async def graph() -> None:
        await corpus_wiring.graph_for_loop().ping()

    return {
        "postgres": postgres,
        "redis": redis,
        "search": search,
        "graph": graph,
        "model": model,
        "embeddings": embeddings,
    }


def answers_are_local() -> bool:
    """Whether no language model is configured, so that answers are quotations. Reads nothing but the settings."""
    return is_local()


async def adapters() -> dict[str, str]:
    """What serves what: each node's adapter and model, the space of questions' vectors, the store of the graph."""
    opened = _stations.get(asyncio.get_running_loop())
    found = dict(opened.models.serves()) if opened and opened.models else {}
    try:
        space, _ = await corpus_wiring.query_embedder().active()
        found["embeddings"] = f"{space.provider}: {space.model}"
        found["graph"] = corpus_wiring.graph_for_loop().origin
    except CorpusError:
        found.setdefault("embeddings", "none")
    return found


@asynccontextmanager
async def language_models(local: LanguageModel) -> AsyncIterator[LanguageModels]:
    """The models that the settings name (`intent`, `answers`, `suggestions`), for whoever measures them alone."""
    models = models_of_settings(local)
    await models.open()
    try:
        yield models
    finally:
        await models.close()


async def _open_models() -> LanguageModels:
    await corpus_wiring.open_clients()
    local = LocalModel(LocalEmbedder(), pace=getattr(settings, "LOCAL_ANSWER_PACE", 0.0))
    await asyncio.to_thread(local.warm)
    models = models_of_settings(local)
    await models.open()
    return models


async def _open_run_clients(models: LanguageModels) -> Clients:
    """The clients of the nodes, as the settings name them."""
    search, embedder = corpus_wiring.search_for_loop(), corpus_wiring.query_embedder()

    async def help_line(country: str) -> str:
        return await write(help_line_text, country)

    return Clients(
        intent_model=models.intent,
        answer_model=models.answers,
        suggestion_model=models.suggestions,
        local=models.local,
        embed_query=embedder.embed_query,
        search=search,
        graph=corpus_wiring.graph_for_loop(),
        finish=_no_run,
        probe=Probing(embedder=embedder, search=search, local=models.local),
        help_line=help_line,
    )


async def _no_run(record: TurnRecord) -> JourneyView | None:
    raise RuntimeError(f"Turn {record.turn} is not being run.")


def _select_one() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
