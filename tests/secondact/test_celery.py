import datetime
from typing import Any

import pytest
from celery import Celery
from celery.beat import Scheduler
from celery.schedules import crontab
from django.conf import settings

from secondact.celery import app

DAY_SECONDS = 24 * 3600


class Counted(Scheduler):  # type: ignore[misc]  # celery is untyped
    """Beat's scheduler, writing down what it would send."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[str] = []
        super().__init__(*args, **kwargs)

    def apply_async(self, entry: Any, **_: Any) -> None:
        self.sent.append(entry.task)


def scheduler(zone: str = "UTC") -> Counted:
    timed = Celery("timed", broker="memory://", set_as_current=False)
    timed.conf.update(timezone=zone, enable_utc=True, beat_schedule=settings.CELERY_BEAT_SCHEDULE)
    return Counted(app=timed)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_a_beat_that_starts_anew_sends_nothing_that_is_not_due(zone: str) -> None:
    started = scheduler(zone)
    for _ in range(5):
        started.tick()
    assert started.sent == []


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def test_after_a_long_pause_each_task_is_sent_once(zone: str) -> None:
    paused = scheduler(zone)
    for entry in paused.schedule.values():
        entry.last_run_at -= datetime.timedelta(days=1)
    for _ in range(20):
        paused.tick()
    assert sorted(paused.sent) == sorted(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())


def test_a_round_that_nobody_took_is_dropped_before_the_next_is_due() -> None:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        nightly = isinstance(entry["schedule"], crontab)
        assert entry["options"]["expires"] <= (DAY_SECONDS if nightly else entry["schedule"])


def test_beat_keeps_no_file_that_could_outlive_a_change() -> None:
    assert app.conf.beat_scheduler == "celery.beat:Scheduler"
    assert (app.conf.timezone, app.conf.enable_utc) == ("UTC", True)


def test_every_task_of_the_schedule_exists() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_no_task_may_outlive_the_time_after_which_it_is_delivered_again() -> None:
    again = app.conf.broker_transport_options["visibility_timeout"]
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit < again
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
