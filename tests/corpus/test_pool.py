import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection

from corpus.errors import SearchUnavailable
from corpus.pool import SESSION_SETTINGS, RetrievalPool

pytestmark = pytest.mark.django_db(transaction=True)


async def test_every_connection_is_set_for_retrieval(real_pool: RetrievalPool) -> None:
    for name, value in SESSION_SETTINGS.items():
        rows = await real_pool.rows("SELECT current_setting(%(name)s)", {"name": name})
        assert rows == [(value,)]


async def test_nothing_can_be_written(real_pool: RetrievalPool) -> None:
    with pytest.raises(Exception, match="read-only transaction"):
        await real_pool.rows("DELETE FROM corpus_document RETURNING id", {})


@pytest.fixture
def blocker(transactional_db: None) -> Iterator[psycopg.Connection[Any]]:
    """Another client of the database, which holds a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(71)")
    raw = connection.connection
    yield raw
    raw.execute("SELECT pg_advisory_unlock_all()")


async def test_statements_run_beside_each_other(real_pool: RetrievalPool, blocker: psycopg.Connection[Any]) -> None:
    waiting = asyncio.create_task(real_pool.rows("SELECT pg_advisory_lock_shared(71)", {}))
    assert await real_pool.rows("SELECT 1", {}) == [(1,)]
    assert not waiting.done()
    blocker.execute("SELECT pg_advisory_unlock(71)")
    assert len(await waiting) == 1


async def test_a_lost_connection_is_one_error_and_the_next_question_is_answered(real_pool: RetrievalPool) -> None:
    with pytest.raises(SearchUnavailable):
        await real_pool.rows("SELECT pg_terminate_backend(pg_backend_pid())", {})
    assert await real_pool.rows("SELECT 1", {}) == [(1,)]


async def test_a_restart_of_the_server_costs_no_question(
    real_pool: RetrievalPool, blocker: psycopg.Connection[Any]
) -> None:
    # The last that each of the pool's connections has run; they are this database's only ones of the kind.
    ours = "query LIKE '%%set_config%%' AND datname = current_database() AND pid <> pg_backend_pid()"
    ended = blocker.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")
    assert len(ended.fetchall()) > 1
    assert await real_pool.rows("SELECT 1", {}) == [(1,)]


def test_each_loop_has_a_pool_of_its_own() -> None:
    async def ask() -> object:
        pool = await RetrievalPool.open(min_size=1, max_size=1)
        try:
            return await pool.rows("SELECT current_database()", {})
        finally:
            await pool.close()

    assert asyncio.run(ask()) == asyncio.run(ask()) == [(connection.settings_dict["NAME"],)]


async def test_a_server_that_does_not_answer_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.pool.WAIT_SECONDS", 0.2)
    monkeypatch.setattr("corpus.pool._connection_facts", lambda: {"host": "127.0.0.1", "port": 1, "dbname": "none"})
    with pytest.raises(SearchUnavailable):
        await RetrievalPool.open(min_size=1, max_size=1)
