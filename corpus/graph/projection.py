"""The record's changes carried into the graph store: the present state of what has changed, never the change itself.

One transaction of the database spans a batch: it takes the lock under which alone the graph store is written, and a
version higher than any before; it reads what has changed and then how that is now; it writes this to the graph store,
and forgets the changes. A worker that dies anywhere in between leaves the changes for the next, who does the same
once more. A write of its that arrives even later carries a version that is no longer the highest, and the graph store
refuses it.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol

from django.db import connection, transaction
from django.db.models.functions import Now

from corpus.errors import GenerationLost
from corpus.graph.present import KINDS, Key, Kind, Rows, chunks_of, key_of, rows_of
from corpus.models import GraphChange, GraphGeneration, GraphStanding

logger = logging.getLogger(__name__)

BATCH = 500
"""Changes projected at once: a second or two of work, while others wait for the lock."""
_LOCK = 0x5EC06AF
State = GraphGeneration.State


class GraphWriter(Protocol):
    """Writes generations of the graph. Every method raises GraphUnavailable."""

    def begin(self, *, generation: int, version: int) -> None:
        """Make an empty generation, and what constraints and indexes the store needs."""
        ...

    def write(self, *, generation: int, version: int, kind: str, keys: Collection[Key], rows: Rows) -> None:
        """Make these keys what `rows` says, and remove those that it does not name.

        Raises GenerationLost when there is no such generation, or when it has a higher version already.
        """
        ...

    def rows_between(self, *, generation: int, kind: str, after: Key | None, until: Key | None) -> Rows:
        """The rows with `after` < key <= `until`; None is no bound."""
        ...

    def remove(self, generation: int) -> None:
        """Remove all of a generation; one that is not there is no error."""
        ...


@contextmanager
def writing() -> Iterator[int]:
    """A transaction that alone writes to the graph store; the version to write with, higher than any before."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            cursor.execute("SELECT nextval('corpus_graph_version')")
            version: int = cursor.fetchone()[0]
        yield version


def project(writer: GraphWriter) -> int:
    """Carry one batch of changes into every generation in use; how many there were. Raises GraphUnavailable.

    A generation that the graph store has lost is retired: the record answers until another is built.
    """
    lost: list[int] = []
    with writing() as version:
        changes = list(GraphChange.objects.order_by("pk")[:BATCH])
        if not changes:
            return 0
        keys = keys_changed(changes)
        rows = {kind: rows_of(kind, keys[kind]) for kind in KINDS if keys[kind]}
        for generation in GraphGeneration.objects.exclude(state=State.RETIRED):
            try:
                for kind in rows:
                    writer.write(generation=generation.pk, version=version, kind=kind, keys=keys[kind], rows=rows[kind])
            except GenerationLost:
                logger.exception("the graph store has lost generation %s", generation.pk)
                lost.append(generation.pk)
        generation_retire(lost)
        changes_forget(changes, version=version if rows else None)
    return len(changes)


def project_all(writer: GraphWriter) -> int:
    """Carry over all there is; how many changes that were. Raises GraphUnavailable."""
    total = 0
    while count := project(writer):
        total += count
    return total


def changes_skip() -> int:
    """Forget changes where there is no graph store; how many. A generation that so misses them is retired."""
    with writing() as version:
        changes = list(GraphChange.objects.order_by("pk")[: BATCH * 20])
        if changes:
            generation_retire(GraphGeneration.objects.exclude(state=State.RETIRED).values_list("pk", flat=True))
            changes_forget(changes, version=version)
    return len(changes)


def keys_changed(changes: Iterable[GraphChange]) -> dict[str, list[Key]]:
    """The keys of each kind that changes speak of, each once; a document speaks of its chunks."""
    keys: defaultdict[str, dict[Key, None]] = defaultdict(dict)
    for kind, text in dict.fromkeys((change.kind, change.key) for change in changes):
        found = chunks_of(text) if kind == Kind.DOCUMENT else [key_of(kind, text)]
        keys[Kind.CHUNK if kind == Kind.DOCUMENT else kind].update(dict.fromkeys(found))
    return defaultdict(list, {kind: list(found) for kind, found in keys.items()})


def changes_forget(changes: Collection[GraphChange], *, version: int | None) -> None:
    """Forget what has been projected with this version, which is the standing one from the commit on.

    Without a version they changed nothing of the graph.
    """
    GraphChange.objects.filter(pk__in=[change.pk for change in changes]).delete()
    if version is not None:
        GraphStanding.objects.update_or_create(pk=1, defaults={"version": version})


def generation_retire(numbers: Iterable[int]) -> None:
    """Ask these generations no more, and write to them no more."""
    GraphGeneration.objects.filter(pk__in=list(numbers)).update(state=State.RETIRED, settled_at=Now())


def retired_remove(writer: GraphWriter, *, after_seconds: float) -> int:
    """Remove from the graph store what was retired so long ago that no question reads it; how many generations."""
    before = Now() - timedelta(seconds=after_seconds)
    old = GraphGeneration.objects.filter(state=State.RETIRED, settled_at__lt=before)
    numbers = list(old.values_list("pk", flat=True))
    for number in numbers:
        writer.remove(number)
        GraphGeneration.objects.filter(pk=number).delete()
    return len(numbers)
