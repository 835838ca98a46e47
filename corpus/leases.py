"""Who is working on an ingestion: a lease in database time, checked with every write.

A worker that lost its lease learns of it at its next write and leaves: two never both write. Time is the database's, so
that workers need not agree on the hour.
"""

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import Error, connection
from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from corpus.models import Ingestion

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker has taken the ingestion over, or it is gone: leave it alone."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one ingestion."""

    ingestion: uuid.UUID
    owner: uuid.UUID = field(default_factory=uuid.uuid4)


def seconds_from_now(seconds: float) -> CombinedExpression:
    """A moment in database time."""
    return Now() + timedelta(seconds=seconds)


def lease_take(ingestion: uuid.UUID) -> Lease | None:
    """Begin an attempt at an ingestion that waits or whose worker was lost; None when there is nothing to do."""
    lease = Lease(ingestion)
    free = Q(lease_owner=None) | Q(lease_until=None) | Q(lease_until__lt=Now())
    taken = Ingestion.objects.filter(free, pk=ingestion, state__in=Ingestion.WORKING_STATES).update(
        lease_owner=lease.owner, lease_until=_until(), attempts=F("attempts") + 1, reason=""
    )
    return lease if taken else None


def lease_write(lease: Lease, **fields: object) -> None:
    """Write fields of the ingestion and renew the lease. Raises LeaseLost, having written nothing."""
    fields.setdefault("lease_until", _until())
    if not Ingestion.objects.filter(pk=lease.ingestion, lease_owner=lease.owner).update(**fields):
        raise LeaseLost


def lease_end(lease: Lease, **fields: object) -> None:
    """Write the last fields of an attempt and give the lease back. Raises LeaseLost, having written nothing."""
    fields.setdefault("lease_until", None)
    lease_write(lease, lease_owner=None, **fields)


@contextmanager
def lease_kept(lease: Lease) -> Iterator[None]:
    """Renew the lease from beside while the block runs: reading a file or embedding a batch may outlast it."""
    ended = threading.Event()
    keeper = threading.Thread(target=_keep, args=(lease, ended), name=f"lease-{lease.ingestion}", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()


def _keep(lease: Lease, ended: threading.Event) -> None:
    while not ended.wait(settings.INGESTION_LEASE_SECONDS / 3):
        try:
            lease_write(lease)
        except LeaseLost:
            return  # The worker itself learns of it at its next write.
        except Error:
            logger.warning("the lease of ingestion %s could not be renewed", lease.ingestion, exc_info=True)
        finally:
            connection.close()


def _until() -> CombinedExpression:
    return seconds_from_now(settings.INGESTION_LEASE_SECONDS)
