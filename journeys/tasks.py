"""What the workers do for members. Tasks take ids, call one function, and may be run any number of times."""

import uuid

from celery import shared_task

from journeys import services


@shared_task  # type: ignore[untyped-decorator]  # celery is untyped
def send_invitation(invitation_id: str) -> None:
    """Send the mail of one invitation; what becomes of it stands on the invitation."""
    services.invitation_send(invitation_id=uuid.UUID(invitation_id))


@shared_task  # type: ignore[untyped-decorator]  # celery is untyped
def sweep_invitations() -> None:
    """Queue again what a lost message or a mail server left unsent."""
    services.invitations_sweep()
