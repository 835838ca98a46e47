"""Signing up over the API for apps, and errors in the form that django-allauth's other calls have."""

from typing import Any

from allauth.headless.account.views import SignupView
from allauth.headless.constants import Client
from allauth.headless.internal.restkit.response import APIResponse
from django.db import transaction
from django.http import HttpResponse

from secondact.accounts import signup_refusal


class SignUpCall(SignupView):  # type: ignore[misc]  # allauth is untyped
    """`POST auth/signup` with `email`, `password` and, where one is needed, the token of an `invitation`."""

    def handle_input(self, data: dict[str, Any] | None) -> HttpResponse | None:
        """Refuse whoever may not make an account, before the fields are looked at."""
        self.request.invitation_token = str((data or {}).get("invitation") or "")
        refusal = signup_refusal(self.request)
        if refusal and not self.request.user.is_authenticated:
            errors = [{"code": "signup_closed", "message": refusal}]
            return APIResponse(self.request, errors=errors, status=403)  # type: ignore[no-any-return]
        found: HttpResponse | None = super().handle_input(data)
        return found


# The account is made whole or not at all: a mail that cannot be sent undoes it, and the app may send the same again.
sign_up = transaction.atomic(SignUpCall.as_api_view(client=Client.APP))
