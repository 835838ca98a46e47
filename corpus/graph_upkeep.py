"""What workers do for the graph store from time to time, whether there is one or not, and whether it answers or not."""

import logging
import time
from contextlib import AbstractContextManager

from django.db.models.functions import Now

from corpus.errors import GraphUnavailable
from corpus.graph.neo4j_writer import Neo4jWriter
from corpus.graph.projection import changes_skip, project_all, retired_remove
from corpus.graph.rebuilding import graph_rebuild
from corpus.graph.reconciling import graph_reconcile
from corpus.models import GraphGeneration, GraphStanding

logger = logging.getLogger(__name__)

RETIRED_SECONDS = 60.0
"""How long a retired generation is kept for questions that were asked before it was retired."""

Writer = AbstractContextManager[Neo4jWriter] | None


def project(opened: Writer) -> None:
    """Carry changes over; build a generation when there is none. A graph store that is down is tried again later."""
    if opened is None:
        changes_skip()
        return
    try:
        with opened as writer:
            project_all(writer)
            if not GraphGeneration.objects.filter(state=GraphGeneration.State.CURRENT).exists():
                graph_rebuild(writer)
    except GraphUnavailable as error:
        logger.warning("the graph could not be projected: %r", error.__cause__ or error)


def ping(opened: Writer) -> None:
    """Note how long the graph store takes to answer, or why it does not."""
    if opened is None:
        return
    began, error = time.monotonic(), ""
    try:
        with opened as writer:
            writer.server()
            took = (time.monotonic() - began) * 1000
            retired_remove(writer, after_seconds=RETIRED_SECONDS)
    except GraphUnavailable as failed:
        took, error = (time.monotonic() - began) * 1000, str(failed.__cause__ or failed)[:200]
        logger.warning("Neo4j does not answer: %s", error)
    GraphStanding.objects.get_or_create(pk=1)
    GraphStanding.objects.filter(pk=1).update(pinged_at=Now(), ping_milliseconds=took, ping_error=error)


def reconcile(opened: Writer) -> None:
    """Compare and repair; a graph store that is down is compared the next night."""
    if opened is None:
        return
    try:
        with opened as writer:
            graph_reconcile(writer)
    except GraphUnavailable as error:
        logger.warning("the graph could not be compared with its record: %r", error.__cause__ or error)
