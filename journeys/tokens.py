"""The secret in the link of an invitation: signed from its row, so that nothing at rest opens an account."""

import uuid

from django.core import signing
from django.utils.crypto import constant_time_compare, get_random_string

from journeys.invitations import Invitation

SALT = "journeys.invitation"
LONGEST = 200


def nonce_new() -> str:
    """What makes the next link another one."""
    return get_random_string(22)


def token_of(invitation: Invitation) -> str:
    """The token of the invitation's latest link; letters that an address may hold."""
    return signing.Signer(salt=SALT, sep=".").sign(f"{invitation.pk.hex}.{invitation.nonce}")


def token_id(token: str) -> uuid.UUID | None:
    """The invitation that this token names; None where nobody but a guesser made it."""
    try:
        value = signing.Signer(salt=SALT, sep=".").unsign(token[:LONGEST])
        return uuid.UUID(value.partition(".")[0])
    except (signing.BadSignature, ValueError):
        return None


def token_fits(token: str, invitation: Invitation) -> bool:
    """Whether it is the token of the latest link and not of an earlier one."""
    return constant_time_compare(token, token_of(invitation))
