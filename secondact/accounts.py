"""Who may make an account by themselves."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """Sign-up as the setting SIGNUP says: only `open` lets people in by themselves, invited ones get their account."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002  (allauth's signature)
        """Whether the sign-up page takes new members."""
        return bool(settings.SIGNUP == "open")
