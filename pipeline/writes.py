"""The one way in which a run touches the database.

A run is a task on the server's event loop, where the async ORM would share one thread and keep connections. So each
write is a plain function called in a thread of its own pool, with fewer threads than Django's pool has connections:
a burst of runs waits here and never starves a request.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections

THREADS = 8
"""Fewer than the 20 connections of Django's pool in secondact.settings."""

_P = ParamSpec("_P")
_T = TypeVar("_T")

_executor = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="writes")


async def write(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What the function returns, called off the loop with a connection that goes back to the pool at once."""
    called = sync_to_async(_and_give_back(function), thread_sensitive=False, executor=_executor)
    return await called(*args, **kwargs)


async def write_ending(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Like `write`, and carried through to its end when the caller is cancelled; then the cancellation goes on."""
    task = asyncio.ensure_future(write(function, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def _and_give_back(function: Callable[_P, _T]) -> Callable[_P, _T]:
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return function(*args, **kwargs)
        finally:
            # With a pool this gives the connection back; a broken one is dropped, so the next write gets a fresh one.
            close_old_connections()

    return called
