import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from corpus.leases import Lease, LeaseLost, lease_end, lease_take, lease_write
from corpus.models import Ingestion
from tests.corpus.reading_in import document_make, file_give


@pytest.fixture
def ingestion(db: None, settings: Settings, tmp_path: Path) -> Ingestion:
    """One that waits for a worker."""
    settings.MEDIA_ROOT = tmp_path
    return file_give(document_make(), "Text.")


def run_out(ingestion: Ingestion) -> None:
    Ingestion.objects.filter(pk=ingestion.pk).update(lease_until=Now() - timedelta(seconds=1))


def test_one_worker_gets_it(ingestion: Ingestion) -> None:
    assert lease_take(ingestion.pk) is not None
    assert lease_take(ingestion.pk) is None


def test_a_lease_that_ran_out_goes_to_the_next_and_the_first_can_write_no_more(ingestion: Ingestion) -> None:
    first = lease_take(ingestion.pk)
    assert first is not None
    run_out(ingestion)
    assert lease_take(ingestion.pk) is not None

    with pytest.raises(LeaseLost):
        lease_write(first, done=0)
    ingestion.refresh_from_db()
    assert ingestion.attempts == 2


def test_a_lease_that_ran_out_but_nobody_took_is_still_good(ingestion: Ingestion) -> None:
    lease = lease_take(ingestion.pk)
    assert lease is not None
    run_out(ingestion)

    lease_write(lease, state="reading")

    assert lease_take(ingestion.pk) is None


def test_a_lease_given_back_is_free(ingestion: Ingestion) -> None:
    lease = lease_take(ingestion.pk)
    assert lease is not None

    lease_end(lease)

    assert lease_take(ingestion.pk) is not None


def test_what_has_ended_is_not_taken(ingestion: Ingestion) -> None:
    Ingestion.objects.update(state="live")

    assert lease_take(ingestion.pk) is None
    assert lease_take(uuid.uuid4()) is None


def test_a_stranger_writes_nothing(ingestion: Ingestion) -> None:
    lease_take(ingestion.pk)

    with pytest.raises(LeaseLost):
        lease_write(Lease(ingestion.pk), state="reading")
    ingestion.refresh_from_db()
    assert ingestion.state == "received"
