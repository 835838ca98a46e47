"""Comparing the current generation with the record, row by row, and putting right what differs.

What differs is noted as changed and projected like any other change. Nothing should ever differ: a report that says
otherwise tells of a fault, or of somebody else who writes to the graph store.
"""

import logging
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models.functions import Now

from corpus.graph.present import KINDS, Key, Kind, Row, keys_after, rows_of
from corpus.graph.projection import GraphWriter, keys_changed, project_all, writing
from corpus.models import GraphChange, GraphGeneration, GraphStanding

logger = logging.getLogger(__name__)

SLICE = 2_000


@dataclass(slots=True)
class Count:
    """One kind: rows in the record, rows in the graph store, and how many of them had to be put right."""

    record: int = 0
    graph: int = 0
    repaired: int = 0


Report = dict[str, Count]


def graph_reconcile(writer: GraphWriter) -> Report | None:
    """Compare and repair; what was found, which the staff page shows. None without a current generation.

    Raises GraphUnavailable.
    """
    project_all(writer)
    generation = GraphGeneration.objects.filter(state=GraphGeneration.State.CURRENT).first()
    if generation is None:
        return None
    report = {str(kind): _kind_compare(writer, generation.pk, kind) for kind in KINDS}
    project_all(writer)
    repaired = sum(count.repaired for count in report.values())
    logger.log(logging.WARNING if repaired else logging.INFO, "graph compared with its record: %s", report)
    GraphStanding.objects.get_or_create(pk=1)
    stored = {kind: asdict(count) for kind, count in report.items()}
    GraphStanding.objects.filter(pk=1).update(checked_at=Now(), check_report=stored)
    return report


def _kind_compare(writer: GraphWriter, generation: int, kind: str) -> Count:
    count, after = Count(), None
    while True:
        with writing():
            keys = keys_after(kind, after, SLICE)
            until = keys[-1] if len(keys) == SLICE else None
            record = rows_of(kind, keys)
            graph = writer.rows_between(generation=generation, kind=kind, after=after, until=until)
            wrong = _different(record, graph) - _waiting(kind)
            GraphChange.objects.bulk_create(GraphChange(kind=kind, key=str(key)) for key in sorted(wrong, key=str))
        count.record += len(record)
        count.graph += len(graph)
        count.repaired += len(wrong)
        if until is None:
            return count
        after = until


def _different(record: dict[Key, Row], graph: dict[Key, Row]) -> set[Key]:
    nothing: dict[str, Any] = {}
    return {key for key in {*record, *graph} if record.get(key, nothing) != graph.get(key, nothing)}


def _waiting(kind: str) -> set[Key]:
    """What has changed meanwhile and is yet to be projected: it may differ."""
    kinds = [kind, Kind.DOCUMENT] if kind == Kind.CHUNK else [kind]
    return set(keys_changed(GraphChange.objects.filter(kind__in=kinds))[kind])
