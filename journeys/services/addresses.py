"""E-mail addresses and whether they are known to be their member's.

django-allauth keeps a row for each address; who signs up gets an unconfirmed one. An account that came another way (the
admin, a command, an invitation) counts as confirmed.
"""

from allauth.account.models import EmailAddress
from django.db import transaction

from journeys.models import Member


def address_confirm(*, member: Member) -> None:
    """Make the member's e-mail address the one and confirmed address of the account."""
    with transaction.atomic():
        EmailAddress.objects.filter(user=member).exclude(email=member.email).delete()
        EmailAddress.objects.update_or_create(
            user=member, email=member.email, defaults={"verified": True, "primary": True}
        )


def addresses_make_way(*, email: str, member: Member) -> bool:
    """Free an address that `member` has just proved to be theirs; whether it is free now.

    Another account may have it only as long as nobody confirmed it there: such a one was begun by a stranger or by a
    typing error, was never signed in to and holds nothing, and goes.
    """
    others = Member.objects.filter(email=email).exclude(pk=member.pk)
    abandoned = others.filter(last_login=None, is_staff=False).exclude(emailaddress__verified=True)
    abandoned.delete()
    return not others.exists()
