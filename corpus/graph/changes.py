"""Telling a worker that the graph's record has changed. What has changed, the database notes by itself.

See corpus.models.projection. A message that is lost, or was never sent, costs nothing but time: a sweep looks every few
seconds, and until a change is projected the record answers.
"""

import logging
from typing import Any

import kombu.exceptions
from celery import current_app
from django.db import connection, transaction
from django.db.models.signals import m2m_changed, post_delete, post_save

from corpus.models import Alias, Concept, Persona, Relationship

logger = logging.getLogger(__name__)

TASK = "corpus.tasks.project_graph"


def changes_announce() -> None:
    """Have the graph's changes projected once the current transaction is final; called twice, it is said once."""
    if not any(waiting is _send for _, waiting, *_ in connection.run_on_commit):
        transaction.on_commit(_send)


def changes_listen() -> None:
    """Announce what is saved and deleted one by one, in the admin, say.

    Not mentions: with a listener Django would fetch each of them before it deletes it. Their services announce them.
    """
    for model in (Concept, Alias, Relationship, Persona):
        post_save.connect(_announce, sender=model)
        post_delete.connect(_announce, sender=model)
    m2m_changed.connect(_announce, sender=Persona.concepts.through)


def _announce(**_: Any) -> None:
    changes_announce()


def _send() -> None:
    try:
        current_app.send_task(TASK, retry=False)
    except (kombu.exceptions.OperationalError, OSError):
        logger.exception("the graph's changes could not be announced; the sweep will find them")
