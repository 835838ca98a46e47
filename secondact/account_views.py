"""The account pages that differ from django-allauth's own."""

from typing import Any

from allauth.account.views import LoginView, PasswordResetView, SignupView
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from journeys.errors import InvitationGone
from journeys.models import Invitation
from journeys.selectors import invitation_of_token
from journeys.services.demo import DEMO_EDITOR, DEMO_MEMBER
from secondact.accounts import SESSION_KEY, invitation_of, signup_refusal
from secondact.mail import MailNotSent


class SignInPage(LoginView):  # type: ignore[misc]  # allauth is untyped
    """Signing in, with the way to an account where there is one, and the demo sign-ins where those exist."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """What the page shows."""
        demo = {"emails": (DEMO_MEMBER, DEMO_EDITOR), "password": settings.ENV.demo_password}
        shown = {"may_sign_up": not signup_refusal(self.request), "signup": settings.SIGNUP}
        return {**super().get_context_data(**more), **shown, "demo": demo if settings.EMBEDDED else None}


class SignUpPage(SignupView):  # type: ignore[misc]  # allauth is untyped
    """Making an account. Where the confirmation cannot be mailed no account is made, and the form says so."""

    def closed(self) -> HttpResponse:
        """The page of whoever may not make an account."""
        context = {"refusal": signup_refusal(self.request)}
        return render(self.request, "account/signup_closed.html", context, status=403)

    def form_valid(self, form: Any) -> HttpResponse:
        """Make the account, whole or not at all."""
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
            return response
        except MailNotSent as error:
            return _said(self, form, error)
        except InvitationGone:
            return render(self.request, "account/invitation_gone.html", status=410)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """What the page shows."""
        return {**super().get_context_data(**more), "invitation": invitation_of(self.request)}


class ResetPage(PasswordResetView):  # type: ignore[misc]  # allauth is untyped
    """Asking for a new password; the form says when no mail can be sent, whoever asks."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the mail."""
        try:
            response: HttpResponse = super().form_valid(form)
            return response
        except MailNotSent as error:
            return _said(self, form, error)


@require_GET
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The link of an invitation. Opening it spends nothing: mail programs open links by themselves.

    The token goes into the session and the sign-up page has an address without it, for no log and no referrer to keep.
    """
    found = invitation_of_token(token)
    if request.user.is_authenticated:
        return render(request, "account/invitation_signed_in.html")
    if settings.SIGNUP == "closed":
        return render(request, "account/signup_closed.html", {"refusal": signup_refusal(request)}, status=403)
    if found is None or not found.open:
        accepted = found is not None and found.state == Invitation.State.ACCEPTED
        return render(request, "account/invitation_gone.html", {"accepted": accepted}, status=410)
    request.session[SESSION_KEY] = token
    return HttpResponseRedirect(reverse("account_signup"))


@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """The member's account: what can be changed about it."""
    return render(request, "account/account.html")


def _said(view: Any, form: Any, error: MailNotSent) -> HttpResponse:
    form.add_error(None, str(error))
    response: HttpResponse = view.form_invalid(form)
    response.status_code = error.status
    return response
