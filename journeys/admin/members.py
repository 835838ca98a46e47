"""Members: found, let in and shut out by editors; rights and passwords are for superusers alone.

An editor who could change an account of the staff, a password, a group or a right could make an owner of themselves.
"""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from journeys import services
from journeys.models import Member

OPEN_TO_EDITORS = ("is_active", "first_name", "last_name")


class MemberCreationForm(AdminUserCreationForm):  # type: ignore[type-arg]
    """A new member, by e-mail."""

    class Meta:
        model = Member
        fields = ("email",)

    def clean_email(self) -> str:
        """The address as it is kept: addresses are compared without regard to case."""
        return str(self.cleaned_data["email"]).lower()


class MemberChangeForm(UserChangeForm):  # type: ignore[type-arg]
    """A member's account."""

    class Meta:
        model = Member
        fields = "__all__"

    def clean_email(self) -> str:
        """The address as it is kept."""
        return str(self.cleaned_data["email"]).lower()


@admin.register(Member)
class MemberAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's own page for accounts, without user names, and with little in it for who is no superuser."""

    form = MemberChangeForm
    add_form = MemberCreationForm
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Personal info"), {"fields": ("first_name", "last_name")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    editor_fieldsets = (
        (None, {"fields": ("email", "confirmed", "is_active")}),
        (_("Personal info"), {"fields": ("first_name", "last_name")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)
    list_display = ("email", "first_name", "last_name", "is_active", "confirmed", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "groups", "profile__stage", "date_joined")
    search_fields = ("email", "first_name", "last_name")
    ordering = ("email",)
    actions = ("let_in", "shut_out")

    @admin.display(description=_("address confirmed"), boolean=True, ordering="is_confirmed")
    def confirmed(self, member: Member) -> bool:
        """Whether the member has proved the address."""
        return bool(getattr(member, "is_confirmed", False))

    @admin.action(description=_("Let selected members in again"), permissions=["change"])
    def let_in(self, request: HttpRequest, members: QuerySet[Member]) -> None:
        """Open closed accounts."""
        self._active_set(request, members, active=True)

    @admin.action(description=_("Shut selected members out"), permissions=["change"])
    def shut_out(self, request: HttpRequest, members: QuerySet[Member]) -> None:
        """Close accounts: nobody signs in with them, and what is open ends at once."""
        self._active_set(request, members, active=False)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        """Members, with whether their address is proved."""
        proved = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
        members: QuerySet[Member] = super().get_queryset(request).annotate(is_confirmed=Exists(proved))
        return members

    def get_fieldsets(self, request: HttpRequest, obj: Member | None = None) -> Any:
        """An editor sees neither password nor rights."""
        if obj is not None and not request.user.is_superuser:
            return self.editor_fieldsets
        return super().get_fieldsets(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Member | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """All but a few fields are read-only for an editor, whatever a request holds."""
        if request.user.is_superuser:
            return ("confirmed", "last_login", "date_joined")
        names = {field.name for field in Member._meta.get_fields() if getattr(field, "editable", False)}
        return ("confirmed", *sorted(names - set(OPEN_TO_EDITORS)))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Accounts with a password of somebody else's making are for superusers; editors invite."""
        return bool(request.user.is_superuser) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        """Accounts of the staff are changed by superusers."""
        return super().has_change_permission(request, obj) and (obj is None or _may_touch(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        """Deleting reaches every store, so it is for superusers."""
        return bool(request.user.is_superuser) and super().has_delete_permission(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Setting somebody's password is for superusers; members get a new one by mail."""
        if not request.user.is_superuser and str(request.user.pk) != unquote(id):
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def save_model(self, request: HttpRequest, obj: Member, form: Any, change: bool) -> None:
        """Save; an address that a superuser sets counts as confirmed."""
        super().save_model(request, obj, form, change)
        services.profile_ensure(member=obj)
        if not change or "email" in form.changed_data:
            services.address_confirm(member=obj)

    def _active_set(self, request: HttpRequest, members: QuerySet[Member], *, active: bool) -> None:
        mine = [member for member in members if _may_touch(request, member) and member.pk != request.user.pk]
        for member in mine:
            services.member_active_set(member_id=member.pk, active=active)
            self.log_change(request, member, "Let in." if active else "Shut out.")
        if left := members.count() - len(mine):
            self.message_user(request, f"{left} left as they were: yourself, or staff.", messages.WARNING)
        self.message_user(request, f"{len(mine)} accounts {'opened' if active else 'closed'}.", messages.SUCCESS)


def _may_touch(request: HttpRequest, member: Member) -> bool:
    """Whether this person may change that account."""
    return bool(request.user.is_superuser) or not (member.is_staff or member.is_superuser)
