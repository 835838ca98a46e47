"""Members and what they tell us about themselves."""

import re
import uuid
from collections.abc import Mapping

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Model

from journeys.errors import InvalidValue
from journeys.models import Member, Profile
from journeys.services.addresses import address_confirm

_COUNTRY = re.compile(r"[A-Z]{2}")
_ABOUT_MEMBER = ("first_name", "last_name")


def member_create(*, email: str, password: str, first_name: str = "", last_name: str = "") -> Member:
    """Make a member with an empty profile. Raises InvalidValue for a taken e-mail or a weak password."""
    member = Member(email=email.strip().lower(), first_name=first_name, last_name=last_name)
    try:
        validate_password(password, member)
        member.set_password(password)
        member.full_clean()
    except ValidationError as error:
        raise InvalidValue(" ".join(error.messages)) from error
    try:
        with transaction.atomic():
            member.save(force_insert=True)
            profile_ensure(member=member)
            address_confirm(member=member)
    except IntegrityError as error:
        raise InvalidValue("There is a member with this e-mail address.") from error
    return member


def member_active_set(*, member_id: uuid.UUID, active: bool) -> Member:
    """Let a member in, or shut them out: they cannot sign in, and what is open to them ends at once."""
    with transaction.atomic():
        member = Member.objects.select_for_update().get(pk=member_id)
        member.is_active = active
        member.save(update_fields=["is_active"])
    return member


def profile_ensure(*, member: Member) -> Profile:
    """The member's profile, made empty when there is none yet."""
    profile, _ = Profile.objects.get_or_create(member=member)
    return profile


def profile_update(*, member: Member, changes: Mapping[str, object]) -> Profile:
    """Change what a member told us: first_name, last_name, persona (a slug or None), country, share_questions.

    The stage is not among them: it is changed by the steps of the journey, so that each change is kept. Raises
    InvalidValue.
    """
    with transaction.atomic():
        profile_ensure(member=member)
        profile = Profile.objects.select_for_update(no_key=True).get(member=member)
        for name, value in changes.items():
            if name == "persona":
                value = _persona(value)
            setattr(member if name in _ABOUT_MEMBER else profile, name, value)
        profile.country = profile.country.upper()
        if profile.country and not _COUNTRY.fullmatch(profile.country):
            raise InvalidValue("A country is given by its two-letter code, such as GB.")
        try:
            member.clean_fields(exclude={field.name for field in Member._meta.fields} - set(_ABOUT_MEMBER))
            profile.clean_fields(exclude=["member", "stage", "persona"])
        except ValidationError as error:
            raise InvalidValue(" ".join(error.messages)) from error
        member.save(update_fields=list(_ABOUT_MEMBER))
        profile.save(update_fields=["persona", "country", "share_questions"])
    return profile


def _persona(slug: object) -> Model | None:
    """The persona with this slug; the model is reached through the field, as journeys does not know corpus."""
    if slug is None:
        return None
    personas: type[Model] = Profile._meta.get_field("persona").related_model
    found = personas._default_manager.filter(slug=slug).first()
    if found is None:
        raise InvalidValue("There is no such persona.")
    return found
