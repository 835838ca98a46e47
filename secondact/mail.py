"""Mail: written out where no mail server is named, and what a check or a health page says of it."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

LINE = "-" * 72
WRITTEN_OUT = "secondact.mail.TerminalBackend"
NO_SERVER = "EMAIL_URL is not set: mail is only written to the log"


class MailNotSent(Exception):
    """The mail could not be sent just now. Nothing was changed; please try again in a few minutes."""

    code = "mail_unavailable"
    status = 503
    permanent = False

    def __init__(self) -> None:
        super().__init__((type(self).__doc__ or "").strip())


class TerminalBackend(BaseEmailBackend):
    """Writes mail as plain text to standard output and, with `manage.py up`, to its mail.log, which `up` repeats.

    Not as the wire has it: encoded lines would cut the links that somebody wants to follow.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write them all; how many."""
        for message in email_messages:
            text = mail_text(message)
            print(text, file=sys.stdout, flush=True)  # noqa: T201  (this is where it goes)
            mail_log_append(text)
        return len(email_messages)


def mail_text(message: EmailMessage) -> str:
    """A mail for reading."""
    head = f"To: {', '.join(message.to)}\nFrom: {message.from_email}\nSubject: {message.subject}"
    return f"{LINE}\n{head}\n\n{message.body}\n{LINE}"


def mail_log() -> Path:
    """Where `manage.py up` finds the mail of its processes."""
    return Path(settings.HOME) / "log" / "mail.log"


class NewMail:
    """What is written to the mail log from now on."""

    def __init__(self) -> None:
        self._read = mail_log().stat().st_size if mail_log().exists() else 0

    def text(self) -> str:
        """What has come since it was last asked; empty when there is nothing."""
        if not mail_log().exists():
            return ""
        with mail_log().open("rb") as file:
            file.seek(self._read)
            found = file.read()
        self._read += len(found)
        return found.decode(errors="replace")


def mail_log_append(text: str) -> None:
    """Add a mail to the log of `manage.py up`, readable by its owner alone: links in it sign in."""
    path = mail_log()
    if not settings.EMBEDDED or not path.parent.is_dir():
        return
    path.touch(mode=0o600, exist_ok=True)
    with path.open("a") as file:
        file.write(f"{text}\n")


def mail_state() -> str:
    """What /readyz says without asking the mail server: health is asked for often, and mail servers count visits."""
    return NO_SERVER if settings.EMAIL_BACKEND == WRITTEN_OUT else "configured"


async def mail_ping() -> None:
    """Return when the mail server takes our sign-in. Raises OSError, or MailNotSent where there is no server."""
    if settings.EMAIL_BACKEND == WRITTEN_OUT:
        if settings.EMBEDDED:
            return
        raise MailNotSent
    await asyncio.to_thread(_connect)


def _connect() -> None:
    connection = get_connection()
    try:
        connection.open()
    finally:
        connection.close()


@register(Tags.security, deploy=True)
def mail_check(app_configs: Any, **_: Any) -> list[CheckMessage]:  # noqa: ARG001  (Django's signature)
    """`check --deploy`: without a mail server nobody can confirm an address or reset a password."""
    if settings.EMAIL_BACKEND != WRITTEN_OUT:
        return []
    hint = "Set EMAIL_URL and DEFAULT_FROM_EMAIL."
    return [Warning(f"{NO_SERVER}, so nobody can reset a password.", hint=hint, id="secondact.W001")]
