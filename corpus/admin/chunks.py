"""A document's chunks as they were read: page by page in order, and each as it is searched."""

from collections.abc import Mapping
from math import ceil
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html

from corpus.admin.pages import DocumentPages
from corpus.admin.reading import LookOnly, reading_of
from corpus.models import Chunk

CHUNKS_A_PAGE = 50
FEW_TOKENS = 15
FEW_LETTERS = 0.5


def place(locator: Mapping[str, str]) -> str:
    """Where a chunk stands, as a reader says it: "Chapter 3 · Page 12"."""
    named = [(kind.replace("_", " ").capitalize(), value) for kind, value in sorted(locator.items())]
    return " · ".join(value if value.lower().startswith(kind.lower()) else f"{kind} {value}" for kind, value in named)


def remarks(chunk: Chunk) -> list[str]:
    """What an editor may want to look at in a chunk; mostly nothing."""
    letters = sum(character.isalpha() or character.isspace() for character in chunk.text)
    found = []
    if chunk.tokens < FEW_TOKENS:
        found.append("Very short: it says little by itself.")
    if letters < len(chunk.text) * FEW_LETTERS:
        found.append("Few letters: a table, a formula, or text that was not read well.")
    return found


def chunks_page(request: HttpRequest, document_id: UUID, *, pages: DocumentPages) -> HttpResponseBase:
    """The chunks in order, page by page; `number` or `chunk` lead to the place of one, `q` keeps those that say it."""
    document = pages.document_seen(request, document_id)
    found = Chunk.objects.filter(document=document).order_by("ordinal")
    if (wanted := _wanted(request, found)) is not None:
        page = ceil((found.filter(ordinal__lt=wanted.ordinal).count() + 1) / CHUNKS_A_PAGE)
        return HttpResponseRedirect(f"{request.path}?page={page}#chunk-{wanted.ordinal}")
    query = request.GET.get("q", "").strip()
    if query:
        found = found.filter(text__icontains=query)
    page_shown = Paginator(found, CHUNKS_A_PAGE).get_page(request.GET.get("page"))
    context = pages.context(request, document=document, title="Chunks as they were read") | {
        "page": page_shown,
        "page_range": page_shown.paginator.get_elided_page_range(page_shown.number),
        "chunks": [(chunk, place(chunk.locator), remarks(chunk)) for chunk in page_shown],
        "reading": reading_of(document),
        "query": query,
    }
    return render(request, "admin/corpus/document/chunks.html", context)


def _wanted(request: HttpRequest, chunks: QuerySet[Chunk]) -> Chunk | None:
    """The chunk that the address asks to be led to. Raises Http404."""
    number, public_id = request.GET.get("number", ""), request.GET.get("chunk", "")
    try:
        if public_id:
            return chunks.get(public_id=UUID(public_id))
        if number:
            return chunks.get(ordinal=int(number[:9]) - 1)
    except (ValueError, Chunk.DoesNotExist) as error:
        raise Http404("There is no such chunk in this document.") from error
    return None


@admin.register(Chunk)
class ChunkAdmin(LookOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The live chunks as they are searched."""

    list_display = ("number", "heading", "beginning", "tokens", "document")
    list_filter = ("document__authority", "document__content_type", "document__status")
    list_select_related = ("document",)
    search_fields = ("text", "document__title")
    show_full_result_count = False
    fields = ("in_document", "number", "heading", "stands", "prefix", "text", "tokens", "proven")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        """With the document, which every name of a chunk tells."""
        found: QuerySet[Chunk] = super().get_queryset(request).select_related("document")
        return found

    def has_view_permission(self, request: HttpRequest, obj: Chunk | None = None) -> bool:
        """Whoever may look at documents."""
        return request.user.has_perm("corpus.view_document") or super().has_view_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        """All: chunks are made by reading files in."""
        return self.fields

    @admin.display(description="number", ordering="ordinal")
    def number(self, chunk: Chunk) -> int:
        """As people count."""
        return chunk.ordinal + 1

    @admin.display(description="headings")
    def heading(self, chunk: Chunk) -> str:
        """Where it stands."""
        return " > ".join(chunk.heading_path) or "-"

    @admin.display(description="place")
    def stands(self, chunk: Chunk) -> str:
        """Chapter, page."""
        return place(chunk.locator) or "-"

    @admin.display(description="text")
    def beginning(self, chunk: Chunk) -> str:
        """How it begins."""
        return chunk.text[:120]

    @admin.display(description="document")
    def in_document(self, chunk: Chunk) -> str:
        """The way to where it was read."""
        address = reverse("admin:corpus_document_chunks", args=[chunk.document_id])
        return format_html('<a href="{}?chunk={}">{}, as it was read</a>', address, chunk.public_id, chunk.document)

    @admin.display(description="proves")
    def proven(self, chunk: Chunk) -> str:
        """The relationships that rest on it."""
        related = chunk.proves.select_related("source", "kind", "target")
        return "; ".join(str(each) for each in related) or "-"
