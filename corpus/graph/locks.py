"""Locks of the graph's background work, held by Postgres until the transaction ends."""

from django.db import connection

_NAMES = 0x5EC0AC8
_WORK = 0x5EC0AC9


def names_reading() -> None:
    """Said by whoever links chunks with the names as they are now."""
    _execute("SELECT pg_advisory_xact_lock_shared(%s)", _NAMES)


def names_readers_awaited() -> None:
    """Return when nobody is linking any more with names read before this call; new readers see what is committed."""
    _execute("SELECT pg_advisory_xact_lock(%s)", _NAMES)


def work_taken() -> bool:
    """Whether this transaction may do graph work; one at a time does."""
    return bool(_execute("SELECT pg_try_advisory_xact_lock(%s)", _WORK))


def _execute(statement: str, lock: int) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, [lock])
        return cursor.fetchone()[0]
