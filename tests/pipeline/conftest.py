"""What tests of the pipeline share: a member, and everything that runs and streams need on the test's own loop."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from pytest_django import Settings

from journeys import services
from journeys.models import Member
from pipeline import runs, wiring
from pipeline.wiring import Station
from tests.pipeline.stream_fakes import NoNodes, Script


@pytest.fixture
def own_redis_prefix(settings: Settings) -> str:
    """A prefix of its own for each test: no test sees another's logs or messages."""
    prefix = f"test-{uuid.uuid4().hex}"
    settings.REDIS_PREFIX = prefix
    settings.LOG_KEEP_SECONDS = 60
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [settings.REDIS_URL], "prefix": f"{prefix}:layer"},
        }
    }
    return prefix


@pytest.fixture
def member(transactional_db: None) -> Member:
    """A member whom every thread sees."""
    services.stages_load()
    return services.member_create(email="asker@example.org", password="a-long-password")


@pytest.fixture
def other_member(transactional_db: None) -> Member:
    """Somebody else."""
    return services.member_create(email="other@example.org", password="a-long-password")


@pytest_asyncio.fixture
async def station(own_redis_prefix: str, transactional_db: None) -> AsyncIterator[Station]:
    """Runs and streams on this test's loop, without nodes."""
    opened = await wiring.open_clients(clients=NoNodes())  # type: ignore[arg-type]
    runs.use_loop(asyncio.get_running_loop())
    yield opened
    await runs.drain(0)
    runs.use_loop(None)
    await wiring.close_clients()


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Script], Script]:
    """Let runs play this script instead of the nodes."""

    def use(script: Script) -> Script:
        monkeypatch.setattr("pipeline.run_task.run_turn", script)
        return script

    return use
