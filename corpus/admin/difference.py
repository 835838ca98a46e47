"""A new text that waits, beside the live one it would replace."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from corpus.admin.acts import panel_context
from corpus.admin.pages import DocumentPages
from corpus.admin.reading import reading_of
from corpus.comparison import compare

CHANGES_A_PAGE = 30


@require_GET
def difference_page(request: HttpRequest, document_id: UUID, *, pages: DocumentPages) -> HttpResponse:
    """Every change, live at the left, waiting at the right; the document's own page where nothing waits."""
    document = pages.document_seen(request, document_id)
    waiting = reading_of(document)
    if waiting.latest is None or not waiting.ready:
        return HttpResponseRedirect(reverse("admin:corpus_document_change", args=[document.pk]))
    found = compare(waiting.latest)
    page = Paginator(found.changes, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    context = pages.context(request, document=document, title="What would change") | {
        "page": page,
        "page_range": page.paginator.get_elided_page_range(page.number),
        "changes": [(change, *change.runs) for change in page],
        "unchanged_after": 0 if page.has_next() else found.unchanged_after,
    }
    return render(
        request, "admin/corpus/document/difference.html", context | panel_context(request, document, pages=pages)
    )
