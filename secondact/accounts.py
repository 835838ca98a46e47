"""Who may make an account by themselves."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """Sign-up as the setting SIGNUP says: only `open` lets people in by themselves, invited ones get their account."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002  (allauth's signature)
        """Whether the sign-up page takes new members."""
        return bool(settings.SIGNUP == "open")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail. Where no mail server takes it, that is logged and the caller gets the same answer as ever.

        An error here would tell everybody which addresses have an account, and nobody what to do.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:
            logger.exception("A mail could not be sent (%s).", template_prefix)
