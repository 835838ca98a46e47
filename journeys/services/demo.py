"""The demo accounts of the one-command start. Nothing else may call this: their password is known to all."""

from django.db import transaction

from journeys.models import Member
from journeys.services.addresses import address_confirm
from journeys.services.editors import editors_group
from journeys.services.members import profile_ensure

DEMO_MEMBER = "member@example.org"
DEMO_EDITOR = "editor@example.org"


def members_demo(password: str) -> None:
    """Make the demo member and the demo editor, or give them this password; running it again changes nothing else."""
    with transaction.atomic():
        _demo(DEMO_MEMBER, password)
        _demo(DEMO_EDITOR, password, is_staff=True).groups.add(editors_group())


def _demo(email: str, password: str, *, is_staff: bool = False) -> Member:
    member, _ = Member.objects.get_or_create(email=email, defaults={"is_staff": is_staff})
    # A changed password ends sessions, so an unchanged one is left alone.
    if not member.check_password(password):
        member.set_password(password)
        member.save(update_fields=["password"])
    profile_ensure(member=member)
    address_confirm(member=member)
    return member
