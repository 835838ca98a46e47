"""The Celery application."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")

app = Celery("secondact")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
