"""Editing and approving the help lines."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from pipeline.help_lines import APPROVED_BY, country_code, help_text
from pipeline.models import HelpLine


class HelpLineForm(forms.ModelForm):  # type: ignore[type-arg]  # (only the stubs know it as generic)
    """Refuses a country that is none and a text that nobody could call by."""

    def clean_country(self) -> str:
        """The code in capitals. The text for all other countries keeps its place."""
        try:
            country = country_code(self.cleaned_data["country"])
        except ValueError as error:
            raise ValidationError(str(error)) from error
        if self.instance.pk and not self.instance.country and country:
            raise ValidationError(_("This is the text for all other countries: add another one for a country."))
        return country

    def clean_text(self) -> str:
        """The text with plain line ends."""
        try:
            return help_text(self.cleaned_data["text"])
        except ValueError as error:
            raise ValidationError(str(error)) from error


@admin.register(HelpLine)
class HelpLineAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # (only the stubs know it as generic)
    """One text a country, and one for all others, which always stays."""

    form = HelpLineForm
    list_display = ("__str__", "approved_by", "is_approved", "updated_at")
    search_fields = ("country", "text", "approved_by")
    readonly_fields = ("preview", "updated_at", "created_at")
    fields = ("country", "text", "approved_by", "preview", "updated_at", "created_at")

    @admin.display(boolean=True, description=_("approved"))
    def is_approved(self, line: HelpLine) -> bool:
        """Whether a person has put their name to it."""
        return line.approved_by != APPROVED_BY

    @admin.display(description=_("as a member sees it"))
    def preview(self, line: HelpLine) -> SafeString | str:
        """The stored text as it is sent: plain, line by line."""
        return (
            format_html('<div style="white-space: pre-wrap; max-width: 60ch">{}</div>', line.text) if line.pk else "-"
        )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The text for all other countries cannot be deleted, nor can a choice in the list that holds it."""
        allowed: bool = super().has_delete_permission(request, obj)
        return allowed and (obj is None or bool(obj.country))
