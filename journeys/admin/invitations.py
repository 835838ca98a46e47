"""Inviting people: a pasted list of addresses, what became of each, a new link, and taking it back."""

import re
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from journeys import services
from journeys.errors import InvitationGone
from journeys.models import Invitation, Member

MOST_AT_ONCE = 500
_BETWEEN = re.compile(r"[\s,;]+")


class AddressesForm(forms.Form):
    """One or many addresses."""

    addresses = forms.CharField(
        label=_("E-mail addresses"),
        widget=forms.Textarea(attrs={"rows": 10, "cols": 60}),
        help_text=_("One or many, parted by lines, commas, semicolons or blanks; Ada Example <ada@example.org> too."),
    )

    def clean_addresses(self) -> list[str]:
        """The addresses, each once."""
        found = list(dict.fromkeys(addresses_in(self.cleaned_data["addresses"])))
        if len(found) > MOST_AT_ONCE:
            raise forms.ValidationError(f"At most {MOST_AT_ONCE} at once; these are {len(found)}.")
        return found


class StateFilter(admin.SimpleListFilter):
    """By what has become of it."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002
        """Every state."""
        return list(Invitation.State.choices)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> QuerySet[Invitation]:  # noqa: ARG002
        """The invitations in the chosen state; the same rules as Invitation.state."""
        open_ = Q(used_at=None, revoked_at=None)
        unsent = open_ & Q(sent_at=None, expires_at__gt=timezone.now())
        rules = {
            "accepted": Q(used_at__isnull=False),
            "revoked": Q(used_at=None, revoked_at__isnull=False),
            "expired": open_ & Q(expires_at__lte=timezone.now()),
            "sent": open_ & Q(sent_at__isnull=False, expires_at__gt=timezone.now()),
            "failed": unsent & ~Q(failure=""),
            "waiting": unsent & Q(failure=""),
        }
        return queryset.filter(rules[state]) if (state := self.value()) in rules else queryset


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Who was invited. Nothing is edited: an invitation is sent again, or revoked."""

    list_display = ("email", "state_named", "invited_by", "created_at", "sent_at", "expires_at")
    list_filter = (StateFilter, "created_at")
    list_select_related = ("invited_by", "member")
    search_fields = ("email", "invited_by__email")
    date_hierarchy = "created_at"
    fields = (
        *("email", "state_named", "invited_by", "created_at", "sent_at", "expires_at"),
        *("failure", "used_at", "member", "revoked_at"),
    )
    readonly_fields = fields
    actions = ("resend", "revoke")

    @admin.display(description=_("state"))
    def state_named(self, invitation: Invitation) -> str:
        """The state for people."""
        return str(invitation.state.label)

    @admin.action(description=_("Send a new link"), permissions=["change"])
    def resend(self, request: HttpRequest, chosen: QuerySet[Invitation]) -> None:
        """Send again; earlier links end."""
        self._each(request, chosen, services.invitation_resend, "get a new link by mail")

    @admin.action(description=_("Revoke"), permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Invitation]) -> None:
        """Take back."""
        self._each(request, chosen, services.invitation_revoke, "are revoked")

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",  # noqa: ARG002  (Django's signature)
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Invite one or many."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddressesForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            invited_by = request.user if isinstance(request.user, Member) else None
            invited = services.invitations_create(addresses=form.cleaned_data["addresses"], invited_by=invited_by)
            self._tell(request, invited)
            if not invited.refused:
                return HttpResponseRedirect(reverse("admin:journeys_invitation_changelist"))
            # What was refused stays in the field, to be put right.
            form = AddressesForm(initial={"addresses": "\n".join(invited.refused)})
        context = {
            **self.admin_site.each_context(request),
            "title": _("Invite"),
            "opts": self.opts,
            "form": form,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/journeys/invitation/add.html", context)

    def has_change_permission(self, request: HttpRequest, obj: Invitation | None = None) -> bool:
        """For the actions; there is no field that could be changed."""
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Invitation | None = None) -> bool:  # noqa: ARG002
        """Revoked ones stay, so that it is known who was invited."""
        return bool(request.user.is_superuser)

    def _tell(self, request: HttpRequest, invited: services.Invited) -> None:
        for invitation in (*invited.new, *invited.again):
            self.log_addition(request, invitation, "Invited.")
        if invited.new:
            self.message_user(request, f"{len(invited.new)} invited; the mail is on its way.", messages.SUCCESS)
        if invited.again:
            self.message_user(request, f"{len(invited.again)} had been invited and get a new link.", messages.SUCCESS)
        for address, reason in invited.refused.items():
            self.message_user(request, f"Not invited: {address[:100]}. {reason}", messages.ERROR)

    def _each(self, request: HttpRequest, chosen: QuerySet[Invitation], act: Any, done: str) -> None:
        count = 0
        for invitation in chosen:
            try:
                act(invitation_id=invitation.pk)
            except InvitationGone as error:
                self.message_user(request, f"{invitation.email}: {error}", messages.ERROR)
            else:
                count += 1
                self.log_change(request, invitation, f"Invitations {done}.")
        if count:
            self.message_user(request, f"{count} {done}.", messages.SUCCESS)


def addresses_in(text: str) -> list[str]:
    """The addresses of a pasted list; of `Ada Example <ada@example.org>` the part in brackets."""
    found: list[str] = []
    for line in re.split(r"[\n,;]", text):
        if bracketed := re.search(r"<([^<>]*)>", line):
            found.append(bracketed[1].strip())
        else:
            found += [part for part in _BETWEEN.split(line) if part]
    return found
