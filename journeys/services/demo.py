"""The demo accounts of the one-command start. Nothing else may call this: their password is known to all."""

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from journeys.models import Member
from journeys.services.members import profile_ensure

EDITORS = "editors"
DEMO_MEMBER = "member@example.org"
DEMO_EDITOR = "editor@example.org"

_CURATED = (
    ["document", "ingestion", "concept", "alias", "relationship", "relationshipkind", "persona"],
    ("add", "change", "delete", "view"),
)
_EDITOR_PERMISSIONS = {
    *(("corpus", f"{verb}_{model}") for model in _CURATED[0] for verb in _CURATED[1]),
    ("corpus", "view_chunk"),
    *(("corpus", f"{verb}_{kind}proposal") for kind in ("concept", "relationship") for verb in ("change", "view")),
    ("pipeline", "view_helpline"),
    ("pipeline", "change_helpline"),
    ("journeys", "view_stage"),
    ("journeys", "change_stage"),
}


def members_demo(password: str) -> None:
    """Make the demo member and the demo editor, or give them this password; running it again changes nothing else."""
    with transaction.atomic():
        _demo(DEMO_MEMBER, password)
        _demo(DEMO_EDITOR, password, is_staff=True).groups.add(editors_group())


def editors_group() -> Group:
    """The group of editors, with just the permissions that curating the library takes."""
    group, _ = Group.objects.get_or_create(name=EDITORS)
    found = Permission.objects.select_related("content_type").filter(
        content_type__app_label__in={app for app, _ in _EDITOR_PERMISSIONS}
    )
    group.permissions.set(
        [each for each in found if (each.content_type.app_label, each.codename) in _EDITOR_PERMISSIONS]
    )
    return group


def _demo(email: str, password: str, *, is_staff: bool = False) -> Member:
    member, _ = Member.objects.get_or_create(email=email, defaults={"is_staff": is_staff})
    # A changed password ends sessions, so an unchanged one is left alone.
    if not member.check_password(password):
        member.set_password(password)
        member.save(update_fields=["password"])
    profile_ensure(member=member)
    return member
