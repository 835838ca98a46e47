"""What signing up asks for beside address and password. Named by ACCOUNT_SIGNUP_FORM_CLASS; allauth builds on it."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.core.internal.httpkit import is_headless_request
from django import forms
from django.http import HttpRequest

from journeys.models import Member
from journeys.services import invitation_accept, profile_ensure
from secondact.accounts import SESSION_KEY, invitation_of


class SignupFields(forms.Form):
    """An invitation, where there is one: it names the address, and is spent by the account that is made."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._invitation = invitation_of(context.request)
        if self._invitation is not None and not is_headless_request(context.request):
            self.initial["email"] = self._invitation.email
            self.fields["email"].disabled = True

    def clean(self) -> dict[str, Any]:
        """Refuse another address than the invited one."""
        cleaned: dict[str, Any] = super().clean() or {}
        email = cleaned.get("email")
        if self._invitation is not None and email and email.lower() != self._invitation.email:
            self.add_error("email", forms.ValidationError("The invitation is for another address.", code="invitation"))
        return cleaned

    def signup(self, request: HttpRequest, user: Member) -> None:
        """Called by allauth with the account just made. Raises InvitationGone when another sign-up was quicker."""
        profile_ensure(member=user)
        if self._invitation is not None:
            invitation_accept(invitation_id=self._invitation.pk, member=user)
            request.session.pop(SESSION_KEY, None)
            # The link came by mail to this address, which proves it.
            get_adapter().stash_verified_email(request, self._invitation.email)
