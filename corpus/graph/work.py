"""The graph's background work: asked for by whoever changes names or chunks, done in batches by one worker at a time.

What is done is stored with each batch, so that another worker goes on where a lost one stopped; beat sends for one
again where a message was lost.
"""

import logging
import time
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

import kombu.exceptions
from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now

from corpus.graph.linking import mentions_relink_batch, names_all
from corpus.graph.locks import names_readers_awaited, work_taken
from corpus.graph.proposing import proposals_compute
from corpus.models import Chunk, GraphWork, Ingestion
from corpus.naming.index import NameIndex

logger = logging.getLogger(__name__)

TASK = "corpus.tasks.graph_work"
TURN_SECONDS = 30.0
"""How long one task goes on before it makes way for others."""
PATIENCE = timedelta(minutes=10)
"""How long proposals wait for files that are being read in."""
KEPT_DAYS = 30


def work_request(kind: GraphWork.Kind, names: Iterable[str] = ()) -> None:
    """Have a worker link these names anew, or look for proposals; joins what already waits."""
    wanted = {name for name in names if name.strip()}
    if kind is GraphWork.Kind.LINKING and not wanted:
        return
    with transaction.atomic():
        if not _joined(kind, wanted):
            try:
                with transaction.atomic():
                    GraphWork.objects.create(kind=kind, names=sorted(wanted))
            except IntegrityError:
                _joined(kind, wanted)
        transaction.on_commit(_send)


def proposals_request() -> None:
    """Once the present transaction is final, have the library looked through for proposals."""
    transaction.on_commit(partial(work_request, GraphWork.Kind.PROPOSALS))


def work_open() -> list[GraphWork]:
    """What waits or is being done."""
    return list(GraphWork.objects.filter(finished_at=None))


def work_do(*, seconds: float = TURN_SECONDS) -> bool:
    """Work for so long; whether something is left that can be done now. Does nothing beside another worker."""
    until = time.monotonic() + seconds
    worker = _Worker()
    while worker.step():
        if time.monotonic() >= until:
            _send()
            return True
    return False


class _Worker:
    """Does one batch a step, keeping the index of names as long as it works on the same piece."""

    def __init__(self) -> None:
        self._index: tuple[int, NameIndex] | None = None

    def step(self) -> bool:
        """Do one batch of the oldest work that can be done; False when there is none or another worker is at it."""
        with transaction.atomic():
            if not work_taken():
                return False
            work = _next()
            if work is None:
                return False
            if work.started_at is None:
                _begin(work)
            elif work.kind == GraphWork.Kind.PROPOSALS:
                proposals_compute()
                _end(work)
            elif not mentions_relink_batch(work, self._names(work)):
                _end(work)
                # Which concepts stand together has changed with their mentions.
                proposals_request()
        return True

    def _names(self, work: GraphWork) -> NameIndex:
        if self._index is None or self._index[0] != work.pk:
            self._index = (work.pk, NameIndex(names_all()))
        return self._index[1]


def _next() -> GraphWork | None:
    """Mentions first; proposals when no file is being read in, so that a hundred files are looked through once."""
    unfinished = GraphWork.objects.filter(finished_at=None)
    linking = unfinished.filter(kind=GraphWork.Kind.LINKING).first()
    if linking is not None:
        return linking
    proposals = unfinished.filter(kind=GraphWork.Kind.PROPOSALS)
    reading = Ingestion.objects.filter(state__in=Ingestion.WORKING_STATES).exists()
    return proposals.filter(created_at__lt=Now() - PATIENCE).first() if reading else proposals.first()


def _begin(work: GraphWork) -> None:
    # Who read the names before they changed is to be done first: its chunks are among those looked at.
    names_readers_awaited()
    work.total = Chunk.objects.count()
    work.started_at = Now()
    work.save(update_fields=["total", "started_at"])


def _end(work: GraphWork) -> None:
    GraphWork.objects.filter(pk=work.pk).update(finished_at=Now(), done=F("total"), names=[])
    GraphWork.objects.filter(finished_at__lt=Now() - timedelta(days=KEPT_DAYS)).delete()


def _joined(kind: GraphWork.Kind, names: set[str]) -> bool:
    """Whether work of this kind waits, which then takes these names too."""
    waiting = GraphWork.objects.select_for_update().filter(kind=kind, started_at=None).first()
    if waiting is not None and not names.issubset(waiting.names):
        waiting.names = sorted(names.union(waiting.names))
        waiting.save(update_fields=["names"])
    return waiting is not None


def _send() -> None:
    try:
        current_app.send_task(TASK, retry=False)
    except (kombu.exceptions.OperationalError, OSError):
        logger.exception("graph work could not be sent for; beat will")
