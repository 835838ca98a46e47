"""From which web pages a WebSocket may be opened: our own, and those that CSRF_TRUSTED_ORIGINS names.

A browser sends the session cookie with a handshake from any page, so the page is what has to be checked: scheme, host
and port must all be right. What is no browser sends no Origin and carries no member's cookie by accident.
"""

from collections.abc import Awaitable, Callable
from fnmatch import fnmatch
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

PORTS = {"http": "80", "https": "443"}
Headers = dict[bytes, bytes]


class OwnOrigins:
    """An ASGI application that refuses handshakes from foreign pages with 403."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Pass the handshake on, or refuse it."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        if origin_allowed(headers, scheme=_scheme(scope, headers)):
            await self.application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def origin_allowed(headers: Headers, *, scheme: str) -> bool:
    """Whether the handshake comes from no web page or from one of ours."""
    if b"origin" not in headers:
        return True
    origin = headers[b"origin"].decode("latin-1").lower()
    if any(fnmatch(origin, trusted.lower()) for trusted in settings.CSRF_TRUSTED_ORIGINS):
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    return _place(origin) == _place(f"{scheme}://{host}") is not None


def _place(address: str) -> tuple[str, str, str] | None:
    """Scheme, host and port; None for what is no web address, `null` for one."""
    try:
        parts = urlsplit(address)
        port = str(parts.port) if parts.port else PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def _scheme(scope: dict[str, Any], headers: Headers) -> str:
    """The scheme of the page that the handshake belongs to, as the TLS proxy tells it."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name = settings.SECURE_PROXY_SSL_HEADER[0].removeprefix("HTTP_").replace("_", "-").lower()
        return headers.get(name.encode(), b"http").decode("latin-1").split(",")[0].strip()
    return "https" if scope.get("scheme") in ("wss", "https") else "http"
