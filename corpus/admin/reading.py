"""What was read: the ingestions of a document and its chunks, to look at."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from corpus.models import Chunk, Ingestion
from corpus.swap import difference


class LookOnly:
    """Mixed into an admin class: rows are made by reading files in, never by hand."""

    def has_add_permission(self, *_args: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, *_args: Any) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, *_args: Any) -> bool:
        """Never."""
        return False


def progress(ingestion: Ingestion) -> str:
    """The state of an ingestion in a few words, with how far it is, why it failed, or what it would change."""
    words = str(ingestion.get_state_display())
    if ingestion.state in Ingestion.WORKING_STATES and ingestion.total:
        words += f", {ingestion.done} of {ingestion.total}"
    if ingestion.state == Ingestion.State.READY:
        found = difference(ingestion)
        words += f": {found.new} new chunks, {found.unchanged} unchanged, {found.gone} gone"
    return f"{words}: {ingestion.reason}" if ingestion.reason else words


class IngestionInline(LookOnly, admin.TabularInline):  # type: ignore[type-arg]
    """Every file that was read in for a document, the latest first."""

    model = Ingestion
    extra = 0
    fields = ("file_name", "state_in_words", "warnings_in_words", "attempts", "created_at", "finished_at")
    readonly_fields = fields
    verbose_name_plural = "files read in"

    @admin.display(description="state")
    def state_in_words(self, ingestion: Ingestion) -> str:
        """What became of it."""
        return progress(ingestion)

    @admin.display(description="mind")
    def warnings_in_words(self, ingestion: Ingestion) -> str:
        """What to check in the text."""
        return " ".join(ingestion.warnings) or "-"


@admin.register(Chunk)
class ChunkAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The live chunks as they are searched."""

    list_display = ("ordinal", "heading", "beginning", "tokens", "document")
    list_filter = ("document__authority", "document__content_type", "document__status")
    list_select_related = ("document",)
    search_fields = ("text", "document__title")
    show_full_result_count = False
    exclude = ("length",)

    def has_view_permission(self, request: HttpRequest, obj: Chunk | None = None) -> bool:
        """Whoever may look at documents."""
        return request.user.has_perm("corpus.view_document") or super().has_view_permission(request, obj)

    @admin.display(description="headings")
    def heading(self, chunk: Chunk) -> str:
        """Where it stands."""
        return " > ".join(chunk.heading_path)

    @admin.display(description="text")
    def beginning(self, chunk: Chunk) -> str:
        """How it begins."""
        return chunk.text[:120]
