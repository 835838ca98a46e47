"""A complete new generation of the graph out of the record, while changes go on and go to both."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models.functions import Now

from corpus.errors import GenerationLost
from corpus.graph.present import KINDS, Key, keys_after, rows_of
from corpus.graph.projection import (
    GraphWriter,
    generation_retire,
    project_all,
    writing,
)
from corpus.models import GraphGeneration

logger = logging.getLogger(__name__)

SLICE = 1_000
"""Rows written at once, while others wait for the lock."""
_LOCK = 0x5EC06B0
State = GraphGeneration.State


def graph_rebuild(writer: GraphWriter, *, say: Callable[[str], None] = logger.info) -> dict[str, int] | None:
    """Build a generation and make it the current one; how many rows of each kind were written.

    None when another process is building one. Raises GraphUnavailable: then the current generation stays.
    """
    with _alone() as alone:
        if not alone:
            return None
        # What a rebuild that was killed has left behind is written to by every projection since.
        generation_retire(GraphGeneration.objects.filter(state=State.BUILDING).values_list("pk", flat=True))
        with writing() as version:
            number = GraphGeneration.objects.create().pk
            writer.begin(generation=number, version=version)
        try:
            written = {str(kind): _kind_write(writer, number, kind, say=say) for kind in KINDS}
            project_all(writer)
            _make_current(number)
        except BaseException:
            generation_retire([number])
            raise
    return written


def _kind_write(writer: GraphWriter, number: int, kind: str, *, say: Callable[[str], None]) -> int:
    total, last = 0, None
    while keys := _slice_write(writer, number, kind, last):
        total, last = total + len(keys), keys[-1]
    say(f"{kind}: {total}")
    return total


def _slice_write(writer: GraphWriter, number: int, kind: str, last: Key | None) -> list[Key]:
    """Write the rows after a key as they are now. What changes later is noted, and projected after this."""
    with writing() as version:
        keys = keys_after(kind, last, SLICE)
        if keys:
            rows = rows_of(kind, keys)
            writer.write(generation=number, version=version, kind=kind, keys=keys, rows=rows)
    return keys


def _make_current(number: int) -> None:
    with writing():
        building = GraphGeneration.objects.filter(pk=number, state=State.BUILDING)
        if not building.exists():
            raise GenerationLost
        generation_retire(GraphGeneration.objects.filter(state=State.CURRENT).values_list("pk", flat=True))
        building.update(state=State.CURRENT, settled_at=Now())


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process is rebuilding; it lasts until the block ends or this process's connection does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LOCK])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
