"""What was read: how the reading-in of a document's files goes and went."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin

from corpus.models import Document, Ingestion
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


@dataclass(frozen=True, slots=True)
class Reading:
    """How it stands with a document and its latest file, and what can be done about it."""

    document: Document
    latest: Ingestion | None

    @property
    def words(self) -> str:
        """The state of the latest file."""
        return progress(self.latest) if self.latest else "No file yet"

    @property
    def working(self) -> bool:
        """Whether it will change by itself."""
        return self.latest is not None and self.latest.state in Ingestion.WORKING_STATES

    @property
    def ready(self) -> bool:
        """Whether a new text waits beside the live one."""
        return self.latest is not None and self.latest.state == Ingestion.State.READY

    @property
    def may_publish(self) -> bool:
        """Whether publishing would change anything."""
        if self.document.status == Document.Status.PUBLISHED:
            return self.ready or (self.working and not (self.latest and self.latest.publish_when_ready))
        return self.working or self.ready or self.document.chunks.exists()

    @property
    def may_withdraw(self) -> bool:
        """Whether members can find it, or soon will."""
        soon = self.latest is not None and self.latest.is_open and self.latest.publish_when_ready
        return self.document.status == Document.Status.PUBLISHED or soon

    @property
    def may_retry(self) -> bool:
        """Whether the latest file failed and trying again can help."""
        return self.latest is not None and self.latest.state == Ingestion.State.FAILED and not self.latest.permanent

    def as_json(self) -> dict[str, object]:
        """What the list shows of it, for its module."""
        return {
            "words": self.words,
            "working": self.working,
            "done": self.latest.done if self.latest else 0,
            "total": self.latest.total if self.latest else 0,
            "status": self.document.get_status_display(),
        }


def reading_of(document: Document) -> Reading:
    """How it stands with a document; of one with its ingestions prefetched, latest first, without a query."""
    return Reading(document, next(iter(document.ingestions.all()), None))


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
