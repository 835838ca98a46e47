"""Who may follow, and whether they still may: a sign-in lives in its session and may end at any moment."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from allauth.headless.tokens.strategies.jwt.internal import session_key_from_sid
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

from journeys.models import Member
from pipeline.errors import NotSignedIn

_HEADERS = {b"x-session-token": "HTTP_X_SESSION_TOKEN", b"authorization": "HTTP_AUTHORIZATION"}


@dataclass(frozen=True, slots=True)
class Viewer:
    """A member and the sign-in they follow with."""

    member: str
    session: str
    until: float | None = None
    """When the token they showed expires, in seconds of the epoch."""


def viewer_of_request(request: HttpRequest) -> tuple[Member, Viewer]:
    """Who sent this request, by whatever the rest of the API accepts. Raises NotSignedIn."""
    kinds: Iterable[Any] = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    asking = Request(request, authenticators=[kind() for kind in kinds])
    try:
        member, shown = asking.user, asking.auth
    except APIException as error:
        raise NotSignedIn from error
    session, until = _session_of(shown, request)
    if not isinstance(member, Member) or not member.is_active or not session:
        raise NotSignedIn
    return member, Viewer(str(member.pk), session, until)


def viewer_of_scope(scope: Mapping[str, Any]) -> tuple[Member, Viewer]:
    """Who opened this WebSocket, by a token's header or the session that the middleware found. Raises NotSignedIn."""
    request = HttpRequest()
    request.method = "GET"
    for name, value in scope["headers"]:
        if name in _HEADERS:
            request.META[_HEADERS[name]] = value.decode("latin-1")
    request.user = scope.get("user") or AnonymousUser()
    request.session = scope.get("session") or _store()()
    return viewer_of_request(request)


def ended(viewers: Iterable[Viewer]) -> set[Viewer]:
    """Those who are signed out by now, or whose token expired, account was disabled or password changed."""
    asked = set(viewers)
    members = {str(member.pk): member for member in Member.objects.filter(pk__in={each.member for each in asked})}
    return {viewer for viewer in asked if not _stands(viewer, members.get(viewer.member))}


def _stands(viewer: Viewer, member: Member | None) -> bool:
    if member is None or not member.is_active or (viewer.until is not None and viewer.until <= time.time()):
        return False
    session = _store()(viewer.session)
    if session.get(SESSION_KEY) != viewer.member:
        return False
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), member.get_session_auth_hash())


def _session_of(shown: Any, request: HttpRequest) -> tuple[str | None, float | None]:
    """The session behind a sign-in, and when it expires: by token, by access token (whose payload it is), by cookie."""
    if isinstance(shown, SessionBase):
        return shown.session_key, None
    if isinstance(shown, Mapping):
        return session_key_from_sid(str(shown.get("sid", ""))), shown.get("exp")
    return request.session.session_key, None


def _store() -> type[SessionBase]:
    store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
    return store
