"""Who may make an account, and what their mail says."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from allauth.core.internal.httpkit import is_headless_request
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from journeys.models import Invitation
from journeys.selectors import invitation_of_token
from journeys.services import addresses_make_way
from secondact.mail import MailNotSent

logger = logging.getLogger(__name__)

SESSION_KEY = "invitation"


class AccountInactive(Exception):
    """This account has been closed. Please write to the society if that is a mistake."""

    code = "account_inactive"
    status = 403
    permanent = True

    def __init__(self) -> None:
        super().__init__((type(self).__doc__ or "").strip())


def invitation_of(request: HttpRequest) -> Invitation | None:
    """The open invitation that this request was made with: an app sends its token, a page has it in its session."""
    token = getattr(request, "invitation_token", None) or request.session.get(SESSION_KEY, "")
    invitation = invitation_of_token(token) if token else None
    return invitation if invitation is not None and invitation.open else None


def signup_refusal(request: HttpRequest) -> str:
    """Why this request may not make an account; empty when it may."""
    if settings.SIGNUP == "open":
        return ""
    if settings.SIGNUP == "closed":
        return "New accounts are not made here at the moment."
    if invitation_of(request) is not None:
        return ""
    return "An account is made with an invitation: open the link in the mail that invites you."


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    """Sign-up as the setting SIGNUP says; mail that fails says so, to everybody alike."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether this request may make an account."""
        return not signup_refusal(request)

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """Note that an address is its member's; False where another account has proved it before."""
        if not addresses_make_way(email=email_address.email, member=email_address.user):
            return False
        return bool(super().confirm_email(request, email_address))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail. Raises MailNotSent where no mail server takes it.

        That tells nobody who has an account: for an address without one there is a mail too.
        """
        context = {"signup_open": settings.SIGNUP == "open", **context}
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            logger.exception("A mail could not be sent (%s).", template_prefix)
            # What was not sent does not count: the next try may come at once.
            ratelimit.clear(self.request, action="confirm_email", key=email.lower())
            raise MailNotSent from error

    def send_notification_mail(self, *args: Any, **more: Any) -> None:
        """Tell a member what was changed about their account; what was changed stays so without the mail."""
        try:
            super().send_notification_mail(*args, **more)
        except MailNotSent:
            logger.warning("A member was not told of a change to their account.")

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """What somebody with the right password of a closed account gets. Raises AccountInactive for an app."""
        if is_headless_request(request):
            raise AccountInactive
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response
