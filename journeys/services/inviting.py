"""Inviting people: one invitation an address, a mail by a worker, and what becomes of the link."""

import logging
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import kombu.exceptions
from celery import current_app
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from journeys.errors import InvitationGone
from journeys.invitations import ADDRESS_MAX_CHARACTERS
from journeys.models import Invitation, Member
from journeys.tokens import nonce_new, token_of

logger = logging.getLogger(__name__)

TASK = "journeys.tasks.send_invitation"
QUEUED_SECONDS = 120
"""How long an invitation may wait in the queue before it is queued once more."""
LONGEST_PAUSE_MINUTES = 60


@dataclass(frozen=True, slots=True)
class Invited:
    """What became of a list of addresses."""

    new: list[Invitation] = field(default_factory=list)
    again: list[Invitation] = field(default_factory=list)
    """Those that were invited before and get a new link."""
    refused: dict[str, str] = field(default_factory=dict)
    """Each address that was not invited, and why."""


def invitations_create(*, addresses: Iterable[str], invited_by: Member | None) -> Invited:
    """Invite every address that can be invited; the others come back with the reason."""
    result = Invited()
    for address in dict.fromkeys(address.strip().lower() for address in addresses):
        if reason := _reason_against(address):
            result.refused[address] = reason
            continue
        try:
            invitation, made = _invite(address, invited_by)
        except IntegrityError:
            result.refused[address] = "Somebody else has just invited this address."
            continue
        (result.new if made else result.again).append(invitation)
    return result


def invitation_resend(*, invitation_id: uuid.UUID) -> Invitation:
    """Send a new link, which lasts anew; earlier links end. Raises InvitationGone for an accepted or revoked one."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
        if invitation.used_at or invitation.revoked_at:
            raise InvitationGone
        return _renew(invitation)


def invitation_revoke(*, invitation_id: uuid.UUID) -> Invitation:
    """End an invitation; its link makes no account any more. Raises InvitationGone for an accepted one."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
        if invitation.used_at:
            raise InvitationGone
        invitation.revoked_at = invitation.revoked_at or timezone.now()
        invitation.save(update_fields=["revoked_at"])
        return invitation


def invitation_accept(*, invitation_id: uuid.UUID, member: Member) -> Invitation:
    """Note who the invitation made an account for; it makes one only. Raises InvitationGone."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update().get(pk=invitation_id)
        if not invitation.open or invitation.email != member.email.lower():
            raise InvitationGone
        invitation.used_at, invitation.member = timezone.now(), member
        invitation.save(update_fields=["used_at", "member"])
        return invitation


def invitation_send(*, invitation_id: uuid.UUID) -> None:
    """Send the mail of an invitation that waits for it; run twice at once or again, it sends it once.

    Where no mail server takes it, that is noted on the invitation, and the sweeper tries again later.
    """
    with transaction.atomic():
        waiting = Invitation.objects.select_for_update(skip_locked=True).filter(pk=invitation_id, sent_at=None)
        invitation = waiting.first()
        if invitation is None or not invitation.open:
            return
        try:
            _mail(invitation).send()
        except OSError as error:
            logger.exception("The mail of invitation %s could not be sent.", invitation_id)
            _note_failure(invitation, error)
            return
        invitation.sent_at, invitation.failure, invitation.next_try_at = timezone.now(), "", None
        invitation.save(update_fields=["sent_at", "failure", "next_try_at"])


def invitations_sweep() -> list[uuid.UUID]:
    """Queue every invitation whose mail is due: a message was lost, or a mail server did not take it. Their ids."""
    now = timezone.now()
    due = Invitation.objects.filter(
        Q(next_try_at=None) | Q(next_try_at__lte=now), sent_at=None, used_at=None, revoked_at=None, expires_at__gt=now
    )
    queued = list(due.values_list("pk", flat=True))
    for invitation_id in queued:
        _queue(invitation_id)
    return queued


def _invite(address: str, invited_by: Member | None) -> tuple[Invitation, bool]:
    """The address's open invitation with a new link, and whether it is a new one."""
    with transaction.atomic():
        found = Invitation.objects.select_for_update().filter(email=address, used_at=None, revoked_at=None)
        earlier = found.first()
        return _renew(earlier or Invitation(email=address, invited_by=invited_by)), earlier is None


def _reason_against(address: str) -> str:
    try:
        validate_email(address)
    except ValidationError:
        return "This is no e-mail address."
    if len(address) > ADDRESS_MAX_CHARACTERS:
        return "This address is too long."
    if Member.objects.filter(email=address).exists():
        return "There is an account with this address."
    return ""


def _renew(invitation: Invitation) -> Invitation:
    """Give it a new link, as if it had just been made, and see to its mail once that is final."""
    invitation.nonce = nonce_new()
    invitation.expires_at = timezone.now() + timedelta(days=settings.INVITATION_DAYS)
    invitation.sent_at, invitation.next_try_at, invitation.attempts, invitation.failure = None, None, 0, ""
    invitation.save()
    transaction.on_commit(partial(_queue, invitation.pk))
    return invitation


def _queue(invitation_id: uuid.UUID) -> None:
    until = timezone.now() + timedelta(seconds=QUEUED_SECONDS)
    Invitation.objects.filter(pk=invitation_id).update(next_try_at=until)
    try:
        current_app.send_task(TASK, args=[str(invitation_id)], retry=False)
    except (kombu.exceptions.OperationalError, OSError):
        logger.exception("invitation %s could not be queued; the sweeper will", invitation_id)
        Invitation.objects.filter(pk=invitation_id).update(next_try_at=None)


def _note_failure(invitation: Invitation, error: OSError) -> None:
    invitation.attempts += 1
    invitation.failure = f"The mail server did not take it ({type(error).__name__})."
    pause = min(2 ** min(invitation.attempts, 10), LONGEST_PAUSE_MINUTES)
    invitation.next_try_at = timezone.now() + timedelta(minutes=pause)
    invitation.save(update_fields=["attempts", "failure", "next_try_at"])


def _mail(invitation: Invitation) -> EmailMessage:
    link = settings.SITE_URL + reverse("account_invitation", args=[token_of(invitation)])
    context = {"invitation": invitation, "link": link, "days": settings.INVITATION_DAYS, "site_url": settings.SITE_URL}
    return EmailMessage(
        subject=render_to_string("account/email/invitation_subject.txt", context).strip(),
        body=render_to_string("account/email/invitation_message.txt", context),
        to=[invitation.email],
    )
