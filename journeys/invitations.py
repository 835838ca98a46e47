"""An invitation to become a member: who was asked, by whom, and what became of it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

ADDRESS_MAX_CHARACTERS = 254


class Invitation(models.Model):
    """One address that may make an account. The link's token is not stored: it is signed from `id` and `nonce`."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting to be sent")
        SENT = "sent", _("Sent")
        FAILED = "failed", _("Could not be sent yet")
        ACCEPTED = "accepted", _("Accepted")
        EXPIRED = "expired", _("Expired")
        REVOKED = "revoked", _("Revoked")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(_("e-mail address"), max_length=ADDRESS_MAX_CHARACTERS)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    nonce = models.CharField(max_length=32, editable=False, help_text=_("Changes with every link that is sent."))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True, help_text=_("When an unsent mail is tried again."))
    failure = models.CharField(max_length=200, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(
                fields=["email"],
                condition=models.Q(used_at__isnull=True, revoked_at__isnull=True),
                name="one_open_invitation_an_address",
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def state(self) -> State:
        """What has become of it."""
        if self.used_at:
            return self.State.ACCEPTED
        if self.revoked_at:
            return self.State.REVOKED
        if self.expires_at <= timezone.now():
            return self.State.EXPIRED
        if self.sent_at:
            return self.State.SENT
        return self.State.FAILED if self.failure else self.State.WAITING

    @property
    def open(self) -> bool:
        """Whether its link makes an account."""
        return self.state in (self.State.SENT, self.State.WAITING, self.State.FAILED)
