"""Telling every process that a sign-in has ended, so that its streams close at once and not at the next heartbeat."""

from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_save
from django.http import HttpRequest

from journeys.models import Member
from pipeline import runs
from pipeline.watch import session_mark


def connect() -> None:
    """Listen for sign-outs and disabled accounts."""
    user_logged_out.connect(_signed_out, dispatch_uid="streams of a session end")
    post_save.connect(_saved, sender=Member, dispatch_uid="streams of a disabled account end")


def _signed_out(request: HttpRequest | None, **_: Any) -> None:
    session = getattr(request, "session", None)
    if session is not None and session.session_key:
        runs.tell("signed_out", session=session_mark(session.session_key))


def _saved(instance: Member, **_: Any) -> None:
    if not instance.is_active:
        transaction.on_commit(partial(runs.tell, "disabled", member=str(instance.pk)))
