"""Editors' work on documents: upload or paste, label, see how reading in goes, publish, withdraw, delete."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.files.base import ContentFile
from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from simple_history.admin import SimpleHistoryAdmin

from corpus import services
from corpus.admin.reading import IngestionInline, progress
from corpus.errors import CorpusError
from corpus.ingestion.clean import one_line
from corpus.ingestion.reading import FORMATS, check_format
from corpus.models import Chunk, Document, Ingestion

PASTED = "pasted-text.md"


class DocumentForm(forms.ModelForm):  # type: ignore[type-arg]
    """A document's labels, and a text for it: one file, or pasted."""

    source_url = forms.URLField(required=False, max_length=1_000, assume_scheme="https")
    upload = forms.FileField(required=False, help_text=f"One file to read in: {FORMATS}.")
    pasted = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 100}),
        label="Or pasted text",
        help_text="Read as Markdown: a line that begins with # is a heading.",
    )
    publish = forms.BooleanField(
        required=False,
        label="Publish when read in",
        help_text="Otherwise a new text of a published document waits until you publish it.",
    )

    class Meta:
        model = Document
        fields = services.EDITABLE
        help_texts = {
            "content_type": "Each kind of question looks in some kinds of text; only open questions find articles.",
        }

    def clean_title(self) -> str:
        """The title as it will be stored."""
        return one_line(self.cleaned_data["title"])

    def clean(self) -> dict[str, Any]:
        """One text at most, of a format that can be read."""
        cleaned = super().clean() or self.cleaned_data
        upload = cleaned.get("upload")
        if upload and cleaned.get("pasted"):
            self.add_error("pasted", "Upload a file or paste a text, not both.")
        if upload:
            try:
                check_format(upload.name)
            except CorpusError as error:
                self.add_error("upload", str(error))
        return cleaned


@admin.register(Document)
class DocumentAdmin(SimpleHistoryAdmin):  # type: ignore[misc]
    """The library's documents."""

    form = DocumentForm
    list_display = ("title", "authority_name", "content_type", "status", "chunk_count", "last_reading")
    list_filter = ("status", "authority", "content_type", "language")
    search_fields = ("title", "creator")
    readonly_fields = ("status", "last_reading", "chunk_list", "checksum", "created_at", "updated_at")
    inlines = (IngestionInline,)
    actions = ("publish_selected", "withdraw_selected", "retry_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        """With what the list shows of each, in two queries."""
        chunks = Chunk.objects.filter(document=OuterRef("pk")).order_by().values("document").annotate(n=Count("pk"))
        latest = Ingestion.objects.order_by("-created_at", "id")
        found: QuerySet[Document] = super().get_queryset(request)
        return found.annotate(chunk_total=Coalesce(Subquery(chunks.values("n")), 0)).prefetch_related(
            Prefetch("ingestions", queryset=latest)
        )

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        """A new document has nothing yet to show beside what is asked for."""
        fields = list(super().get_fields(request, obj))
        return fields if obj else [name for name in fields if name not in self.readonly_fields]

    @admin.display(description="authority", ordering="authority")
    def authority_name(self, document: Document) -> str:
        """In one word; the form says what it means."""
        return document.authority.capitalize()

    @admin.display(description="chunks", ordering="chunk_total")
    def chunk_count(self, document: Document) -> int:
        """How many live chunks it has."""
        return int(getattr(document, "chunk_total", 0))

    @admin.display(description="last file")
    def last_reading(self, document: Document) -> str:
        """How the latest reading-in goes or went."""
        latest = next(iter(document.ingestions.all()), None)
        return progress(latest) if latest else "no file yet"

    @admin.display(description="chunks")
    def chunk_list(self, document: Document) -> str:
        """The way to the document's chunks."""
        address = reverse("admin:corpus_chunk_changelist")
        return format_html(
            '<a href="{}?document__id__exact={}">{} chunks</a>', address, document.pk, self.chunk_count(document)
        )

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        """Through the services; a text that came along is read in by a worker."""
        labels = {name: form.cleaned_data[name] for name in services.EDITABLE if name in form.cleaned_data}
        try:
            if change:
                saved = services.document_update(document=obj, by=request.user, **labels)
            else:
                saved = services.document_create(by=request.user, **labels)
            obj.pk, obj._state.adding = saved.pk, False
            self._read_in(saved, form.cleaned_data)
        except CorpusError as error:
            messages.error(request, str(error))
        if not obj._state.adding:
            obj.refresh_from_db()

    def _read_in(self, document: Document, given: dict[str, Any]) -> None:
        file = given.get("upload")
        if not file and given.get("pasted"):
            file = ContentFile(given["pasted"].encode(), name=PASTED)
        if file:
            services.ingestion_start(document=document, file=file, publish=given.get("publish", False))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """The documents and how many chunks go with them: nobody reads a list of a thousand chunks."""
        documents = list(objs)
        chunks = Chunk.objects.filter(document__in=documents).count()
        may_delete = all(self.has_delete_permission(request, document) for document in documents)
        lacking = set() if may_delete else {str(self.opts.verbose_name)}
        return [str(one) for one in documents], {"documents": len(documents), "chunks": chunks}, lacking, []

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        """Through the service, files and vectors included."""
        services.document_delete(document=obj, by=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Each like a single one."""
        for document in queryset:
            services.document_delete(document=document, by=request.user)

    @admin.action(description="Publish selected documents", permissions=["change"])
    def publish_selected(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Let members find them."""
        self._each(request, queryset, lambda one: services.document_publish(document=one, by=request.user), "published")

    @admin.action(description="Withdraw selected documents", permissions=["change"])
    def withdraw_selected(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Take them out of every answer."""
        self._each(
            request, queryset, lambda one: services.document_withdraw(document=one, by=request.user), "withdrawn"
        )

    @admin.action(description="Try failed files again", permissions=["change"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Read the latest failed file of each in once more."""
        self._each(request, queryset, _retry, "queued again")

    def _each(
        self, request: HttpRequest, queryset: QuerySet[Document], act: Callable[[Document], object], done: str
    ) -> None:
        count = 0
        for document in queryset:
            try:
                act(document)
                count += 1
            except CorpusError as error:
                messages.error(request, f"{document.title}: {error}")
        if count:
            messages.success(request, f"{count} {done}.")


def _retry(document: Document) -> None:
    latest = next(iter(document.ingestions.all()), None)
    if latest is not None:
        services.ingestion_retry(ingestion=latest)
