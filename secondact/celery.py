"""The Celery application."""

import os
import sys
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init

from secondact import env
from secondact.preflight import addresses_named

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")

app = Celery("secondact")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def _servers_needed(**_: Any) -> None:
    """Without addresses neither a worker nor beat has anything to do; a server that is down, they wait for."""
    try:
        addresses_named(env.load())
    except env.SettingError as error:
        print(error, file=sys.__stderr__)
        raise SystemExit(2) from error


for _begins in (celeryd_init, beat_init):
    _begins.connect(_servers_needed)
