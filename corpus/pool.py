"""The connections that retrieval queries run on, several at once.

The async ORM runs one query at a time within a request; these queries run side by side, so they have a psycopg pool of
their own. A pool belongs to the event loop that opened it.
"""

from collections.abc import Mapping
from typing import Any, LiteralString, Protocol

from django.db import connections
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.sql import Composed
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from corpus.errors import SearchUnavailable

MIN_CONNECTIONS = 6
"""Kept open: as many statements as one question runs at once."""
MAX_CONNECTIONS = 12
WAIT_SECONDS = 5.0

SESSION_SETTINGS = {
    "default_transaction_read_only": "on",
    # A question must not hold a connection for long, whatever it asks.
    "statement_timeout": "5s",
    # A plan made for other parameters takes the wrong index.
    "plan_cache_mode": "force_custom_plan",
    # All our statements read through indexes; a row estimate gone wrong must not turn one into a full scan.
    "enable_seqscan": "off",
    # Compiling costs more than any of these statements, and workers start slower than they finish.
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    # What HNSW holds while it searches: at least the candidates a channel asks for.
    "hnsw.ef_search": "120",
    # A filter thins what the index returns: go on, in the order of distance, until enough pass.
    "hnsw.iterative_scan": "strict_order",
    "hnsw.max_scan_tuples": "40000",
    "hnsw.scan_mem_multiplier": "8",
}

Statement = LiteralString | Composed
Row = tuple[Any, ...]


class Pool(Protocol):
    """Runs statements, each on a connection of its own."""

    async def rows(self, statement: Statement, params: Mapping[str, Any]) -> list[Row]:
        """All rows of one statement. Raises SearchUnavailable."""
        ...


class RetrievalPool:
    """The pool of one event loop."""

    def __init__(self, connections: "AsyncConnectionPool[AsyncConnection[Row]]") -> None:
        self._connections = connections

    @classmethod
    async def open(cls, *, min_size: int = MIN_CONNECTIONS, max_size: int = MAX_CONNECTIONS) -> "RetrievalPool":
        """Open a pool to Django's default database and wait until its first connections stand.

        Raises SearchUnavailable when they do not within WAIT_SECONDS.
        """
        pool: AsyncConnectionPool[AsyncConnection[Row]] = AsyncConnectionPool(
            kwargs=_connection_facts(),
            min_size=min_size,
            max_size=max_size,
            timeout=WAIT_SECONDS,
            configure=_configure,
            open=False,
            name="retrieval",
        )
        try:
            await pool.open(wait=True, timeout=WAIT_SECONDS)
        except PoolTimeout as error:
            await pool.close()
            raise SearchUnavailable from error
        return cls(pool)

    async def rows(self, statement: Statement, params: Mapping[str, Any]) -> list[Row]:
        """All rows of one statement. Raises SearchUnavailable.

        After a restart of the server every connection is dead: then all are looked at, and it is asked once more.
        """
        try:
            found = await self._ask(statement, params)
            if found is None:
                await self._connections.check()
                found = await self._ask(statement, params)
        except (OperationalError, InterfaceError) as error:
            raise SearchUnavailable from error
        if found is None:
            raise SearchUnavailable
        return found

    async def _ask(self, statement: Statement, params: Mapping[str, Any]) -> list[Row] | None:
        """The rows; None when the connection was dead."""
        async with self._connections.connection() as connection:
            try:
                cursor = await connection.execute(statement, params)
                return await cursor.fetchall()
            except (OperationalError, InterfaceError):
                if connection.closed:
                    return None
                raise

    async def close(self) -> None:
        """Close every connection."""
        await self._connections.close()


def _connection_facts() -> dict[str, Any]:
    """How Django reaches its default database, read now: a test run has changed the name since start."""
    facts = connections["default"].get_connection_params()
    for ours in ("cursor_factory", "context", "prepare_threshold"):
        facts.pop(ours, None)
    return {**facts, "autocommit": True}


async def _configure(connection: AsyncConnection[Row]) -> None:
    """Prepare one new connection."""
    # A cast loads the extension's library, without which its settings are not known yet.
    await connection.execute("SELECT '[1]'::vector")
    for name, value in SESSION_SETTINGS.items():
        await connection.execute("SELECT set_config(%s, %s, false)", (name, value))
