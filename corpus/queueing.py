"""Ingestions that wait for a worker: sent for once stored, and again when a worker or a message was lost."""

import logging
import uuid
from functools import partial

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from corpus.leases import seconds_from_now
from corpus.models import Ingestion

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
"""Workers that may be lost over one file before it is given up."""
QUEUED_LEASES = 5
"""Lease times that an ingestion may wait in the queue before it is queued once more."""
TASK = "corpus.tasks.ingest"


def queue(ingestion: Ingestion) -> Ingestion:
    """Store an ingestion as waiting for a worker, without an owner, and send for one once that is final."""
    ingestion.lease_owner = ingestion.lease_until = None
    ingestion.save()
    until = seconds_from_now(settings.INGESTION_LEASE_SECONDS * QUEUED_LEASES)
    Ingestion.objects.filter(pk=ingestion.pk).update(lease_until=until)
    transaction.on_commit(partial(_send, ingestion.pk))
    return ingestion


def begin_anew(ingestion: Ingestion) -> Ingestion:
    """Queue an ingestion as if it had just been received; a worker that is at it loses its lease."""
    ingestion.state = Ingestion.State.RECEIVED
    ingestion.reason, ingestion.permanent, ingestion.warnings = "", False, []
    ingestion.done = ingestion.total = ingestion.attempts = 0
    ingestion.staged_chunks.all().delete()
    return queue(ingestion)


def ingestions_sweep() -> list[uuid.UUID]:
    """Queue every ingestion again whose worker or message was lost; the ids. One lost too often fails."""
    lost = Ingestion.objects.filter(Q(lease_until=None) | Q(lease_until__lt=Now()), state__in=Ingestion.WORKING_STATES)
    with transaction.atomic():
        queued: list[uuid.UUID] = []
        for ingestion in lost.select_for_update(skip_locked=True):
            if ingestion.attempts >= MAX_ATTEMPTS:
                _give_up(ingestion)
            else:
                queued.append(queue(ingestion).pk)
    return queued


def _give_up(ingestion: Ingestion) -> None:
    ingestion.state = Ingestion.State.FAILED
    ingestion.reason = (
        f"The worker was lost {ingestion.attempts} times while it read this file in; the file may be too much for it."
        " Try again, or split the file."
    )
    ingestion.lease_owner = ingestion.lease_until = None
    ingestion.save(update_fields=["state", "reason", "lease_owner", "lease_until"])
    ingestion.staged_chunks.all().delete()


def _send(ingestion: uuid.UUID) -> None:
    if not task_send(TASK, str(ingestion)):
        Ingestion.objects.filter(pk=ingestion).update(lease_until=None)


def task_send(task: str, argument: str | int) -> bool:
    """Send for a worker; False, logged, when the message broker does not answer: a sweeper makes it good."""
    try:
        current_app.send_task(task, args=[argument], retry=False)
    except (kombu.exceptions.OperationalError, OSError):
        logger.exception("%s could not be queued for %s; the sweeper will", task, argument)
        return False
    return True
