"""The group of editors, with just the permissions that curating the library takes."""

from django.contrib.auth.models import Group, Permission

EDITORS = "editors"

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
    # Members are let in, found and shut out; rights and passwords are for superusers (journeys/admin/members.py).
    ("journeys", "view_member"),
    ("journeys", "change_member"),
    ("journeys", "view_invitation"),
    ("journeys", "add_invitation"),
    ("journeys", "change_invitation"),
}


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
