"""The address of a mail server as one URL."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
"""Plain, STARTTLS on a plain connection, TLS from the first byte; each with its usual port."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over."""

    host: str
    port: int
    user: str
    password: str
    starttls: bool
    tls: bool


def mail_server(url: str) -> MailServer:
    """Read `smtp+tls://user:password@host:port`. Raises ValueError for what is no such URL."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(url)
    return MailServer(
        host=parts.hostname,
        port=parts.port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        tls=parts.scheme == "smtp+ssl",
    )
