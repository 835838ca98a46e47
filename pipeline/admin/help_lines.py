"""Editing and approving the help lines."""

from django.contrib import admin

from pipeline.models import HelpLine


@admin.register(HelpLine)
class HelpLineAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # (only the stubs know it as generic)
    """One text a country, and one for all others."""

    list_display = ("__str__", "approved_by", "updated_at")
    search_fields = ("country", "text", "approved_by")
    readonly_fields = ("updated_at", "created_at")
