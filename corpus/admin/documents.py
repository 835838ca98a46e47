"""Editors' work on documents: upload or paste, label, see how reading in goes, publish, withdraw, delete."""

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.files.base import ContentFile
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from simple_history.admin import SimpleHistoryAdmin

from corpus import services
from corpus.admin.acts import ACTS, Act, act, panel, panel_context, publish, retry, states, withdraw
from corpus.admin.chunks import chunks_page
from corpus.admin.difference import difference_page
from corpus.admin.document_form import DocumentForm
from corpus.admin.filters import ReadingFilter
from corpus.admin.pages import LATEST_FIRST, DocumentPages
from corpus.admin.reach import reach_of, reach_page, reach_table
from corpus.admin.reading import IngestionInline, reading_of
from corpus.admin.upload import PASTED_NAME, upload_page
from corpus.errors import CorpusError
from corpus.models import Chunk, Document
from corpus.taxonomy import Authority, ContentType


@admin.register(Document)
class DocumentAdmin(SimpleHistoryAdmin):  # type: ignore[misc]
    """The library's documents."""

    form = DocumentForm
    list_display = ("title", "authority_name", "content_type", "status_now", "chunk_count", "last_reading")
    list_filter = ("status", "authority", "content_type", ReadingFilter, "is_sample", "language")
    search_fields = ("title", "creator")
    readonly_fields = ("reach", "status", "chunk_list", "checksum", "created_at", "updated_at")
    change_form_template = "admin/corpus/document/change_form.html"
    change_list_template = "admin/corpus/document/change_list.html"
    inlines = (IngestionInline,)
    actions = ("publish_selected", "withdraw_selected", "retry_selected")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        """With what the list shows of each, in two queries."""
        chunks = Chunk.objects.filter(document=OuterRef("pk")).order_by().values("document").annotate(n=Count("pk"))
        found: QuerySet[Document] = super().get_queryset(request)
        return found.annotate(chunk_total=Coalesce(Subquery(chunks.values("n")), 0)).prefetch_related(LATEST_FIRST)

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        """What reaches it beside its content type; a new document has nothing else yet to show."""
        fields = [name for name in super().get_fields(request, obj) if name != "reach"]
        fields.insert(fields.index("content_type") + 1, "reach")
        hidden = () if obj else self.readonly_fields
        return [name for name in fields if name == "reach" or name not in hidden]

    def get_urls(self) -> list[URLPattern]:
        """The pages beside list and form; before Django's own, which take any word for an id."""
        pages = DocumentPages(self)
        views: list[tuple[str, Any, str]] = [
            ("upload/", upload_page, "upload"),
            ("states/", states, "states"),
            ("reach/", reach_page, "reach"),
            ("<uuid:document_id>/chunks/", chunks_page, "chunks"),
            ("<uuid:document_id>/difference/", difference_page, "difference"),
            ("<uuid:document_id>/panel/", panel, "panel"),
        ]
        own = [(address, partial(view, pages=pages), name) for address, view, name in views]
        own += [(f"<uuid:document_id>/{name}/", partial(act, name=name, pages=pages), name) for name in ACTS]
        wrap = self.admin_site.admin_view
        found: list[URLPattern] = super().get_urls()
        return [path(address, wrap(view), name=f"corpus_document_{name}") for address, view, name in own] + found

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With how the document stands."""
        if (document := kwargs.get("obj")) is not None:
            context |= panel_context(request, document, pages=DocumentPages(self))
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description="authority", ordering="authority")
    def authority_name(self, document: Document) -> str:
        """In one word; the form says what it means."""
        return document.authority.capitalize()

    @admin.display(description="chunks", ordering="chunk_total")
    def chunk_count(self, document: Document) -> int:
        """How many live chunks it has."""
        return int(getattr(document, "chunk_total", 0))

    @admin.display(description="status", ordering="status")
    def status_now(self, document: Document) -> str:
        """Kept up to date by the list's module."""
        return format_html('<span data-status="{}">{}</span>', document.pk, document.get_status_display())

    @admin.display(description="last file")
    def last_reading(self, document: Document) -> str:
        """How the latest reading-in goes or went; kept up to date by the list's module."""
        reading = reading_of(document)
        working = mark_safe(" data-working") if reading.working else ""
        return format_html('<span data-reading="{}"{}>{}</span>', document.pk, working, reading.words)

    @admin.display(description="what reaches it")
    def reach(self, document: Document) -> str:
        """The kinds of question that look in documents of these labels."""
        known = document.authority and document.content_type
        chosen = reach_of(Authority(document.authority), ContentType(document.content_type)) if known else ()
        context = {"document": document, "chosen": chosen, "rows": reach_table()}
        return render_to_string("admin/corpus/document/reach_list.html", context)

    @admin.display(description="chunks")
    def chunk_list(self, document: Document) -> str:
        """The way to the document's chunks."""
        address = reverse("admin:corpus_document_chunks", args=[document.pk])
        return format_html('<a href="{}">{} chunks, as they were read</a>', address, self.chunk_count(document))

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
            file = ContentFile(given["pasted"].encode(), name=PASTED_NAME)
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
        self._each(request, queryset, publish, "published")

    @admin.action(description="Withdraw selected documents", permissions=["change"])
    def withdraw_selected(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Take them out of every answer."""
        self._each(request, queryset, withdraw, "withdrawn")

    @admin.action(description="Try failed files again", permissions=["change"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Read the latest failed file of each in once more."""
        self._each(request, queryset, retry, "queued again")

    def _each(self, request: HttpRequest, queryset: QuerySet[Document], do: Act, done: str) -> None:
        count = 0
        for document in queryset:
            try:
                do(document, request.user)
                count += 1
            except CorpusError as error:
                messages.error(request, f"{document.title}: {error}")
        if count:
            messages.success(request, f"{count} {done}.")
