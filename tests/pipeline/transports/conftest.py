"""What tests of both transports share."""

from collections.abc import AsyncIterator

import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import connections


@pytest_asyncio.fixture(autouse=True)
async def shared_thread_closed() -> AsyncIterator[None]:
    """Requests of the test client share one thread, which would keep its connection for the next test."""
    yield
    await sync_to_async(connections.close_all)()
