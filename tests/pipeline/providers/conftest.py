"""A provider, a world around it, and a member who asks."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from benchmarks.provider import Provider
from journeys.models import Member
from pipeline import runs, wiring
from tests.pipeline.providers.wire import Asker, Wire


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Claude and OpenAI, behaving until a test plays otherwise."""
    with Provider() as running:
        yield running


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No node gives up because the machine is busy."""
    for limit in ("intent_node.MODEL_SECONDS", "suggestions_node.MODEL_SECONDS", "retrieval_node.EMBEDDING_SECONDS"):
        monkeypatch.setattr(f"pipeline.{limit}", 30.0)


@pytest_asyncio.fixture
async def wire(provider: Provider) -> AsyncIterator[Wire]:
    """The world around the provider."""
    made = Wire(provider)
    yield made
    await made.close()


@pytest_asyncio.fixture
async def asker(wire: Wire, member: Member, own_redis_prefix: str) -> AsyncIterator[Asker]:
    """A member whose turns are run on this test's loop."""
    station = await wiring.open_clients(clients=wire.clients)
    runs.use_loop(asyncio.get_running_loop())
    yield Asker(station, member)
    await runs.drain(0)
    runs.use_loop(None)
    await wiring.close_clients()
