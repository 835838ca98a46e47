"""Members, stages and profiles in the admin.

Conversations and turns are not here: what a member wrote is read by editors only in the views that ask for consent.
"""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from journeys.models import Member, Profile, Stage


class MemberCreationForm(AdminUserCreationForm):  # type: ignore[type-arg]
    """A new member, by e-mail."""

    class Meta:
        model = Member
        fields = ("email",)


class MemberChangeForm(UserChangeForm):  # type: ignore[type-arg]
    """A member's account."""

    class Meta:
        model = Member
        fields = "__all__"


@admin.register(Member)
class MemberAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's own page for accounts, without user names."""

    form = MemberChangeForm
    add_form = MemberCreationForm
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Personal info"), {"fields": ("first_name", "last_name")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)
    list_display = ("email", "first_name", "last_name", "is_staff", "is_active")
    search_fields = ("email", "first_name", "last_name")
    ordering = ("email",)


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
