"""Stages and profiles."""

from django.contrib import admin
from django.http import HttpRequest

from journeys.models import Profile, Stage


@admin.register(Stage)
class StageAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """The stages: their words may change, their number and names in links may not."""

    list_display = ("ordinal", "name", "slug")
    readonly_fields = ("slug", "ordinal")

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002  (Django's signature)
        """Stages ship with the product."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Stage | None = None) -> bool:  # noqa: ARG002
        """A stage that members stood at stays."""
        return False


@admin.register(Profile)
class ProfileAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What members told us about themselves, for looking at: it is theirs to change."""

    list_display = ("member", "stage", "persona", "country")
    list_filter = ("stage", "persona")
    list_select_related = ("member", "stage", "persona")

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002  (Django's signature)
        """Profiles come with their members."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Profile | None = None) -> bool:  # noqa: ARG002
        """Nobody moves a member but the member."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Profile | None = None) -> bool:  # noqa: ARG002
        """Profiles go with their members."""
        return False
