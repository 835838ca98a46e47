"""What an editor does to one document: publish, withdraw, try again; and how it stands meanwhile."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from corpus import services
from corpus.admin.pages import LATEST_FIRST, DocumentPages
from corpus.admin.reading import reading_of
from corpus.errors import CorpusError
from corpus.models import Document

Act = Callable[[Document, object], None]
ASKED_AT_ONCE = 200
"""Documents whose state is told in one answer: more than a page of the list shows."""


def publish(document: Document, editor: object) -> None:
    """Let members find it."""
    services.document_publish(document=document, by=editor)


def withdraw(document: Document, editor: object) -> None:
    """Take it out of every answer."""
    services.document_withdraw(document=document, by=editor)


def retry(document: Document, _editor: object) -> None:
    """Read the latest file in once more, if it failed."""
    latest = reading_of(document).latest
    if latest is not None:
        services.ingestion_retry(ingestion=latest)


ACTS: dict[str, tuple[Act, str]] = {
    "publish": (publish, "Members find this document from now on."),
    "withdraw": (withdraw, "Withdrawn: no answer uses this document any more."),
    "retry": (retry, "The file is read in once more."),
}


@require_POST
def act(request: HttpRequest, document_id: UUID, name: str, *, pages: DocumentPages) -> HttpResponse:
    """One of ACTS, then back to the document."""
    document = pages.document_changed(request, document_id)
    do, done = ACTS[name]
    try:
        do(document, request.user)
    except CorpusError as error:
        messages.error(request, str(error))
    else:
        reading = reading_of(Document.objects.get(pk=document.pk))
        later = name == "publish" and reading.document.status != Document.Status.PUBLISHED
        messages.success(request, "It will be published once it is read in." if later else done)
    return HttpResponseRedirect(reverse("admin:corpus_document_change", args=[document.pk]))


@require_GET
@never_cache
def panel(request: HttpRequest, document_id: UUID, *, pages: DocumentPages) -> HttpResponse:
    """The part of a document's page that tells how it stands, for its module to put in again."""
    document = pages.document_seen(request, document_id)
    return render(request, "admin/corpus/document/panel.html", panel_context(request, document, pages=pages))


def panel_context(request: HttpRequest, document: Document, *, pages: DocumentPages) -> dict[str, object]:
    """What the panel shows of a document, and whether with buttons."""
    may_act = pages.documents.has_change_permission(request, document)
    return {"document": document, "reading": reading_of(document), "may_act": may_act}


@require_GET
@never_cache
def states(request: HttpRequest, *, pages: DocumentPages) -> HttpResponseBase:
    """How it stands with each document that is asked about by `id`."""
    if not pages.documents.has_view_permission(request):
        raise PermissionDenied
    asked = []
    for text in request.GET.getlist("id")[:ASKED_AT_ONCE]:
        try:
            asked.append(UUID(text))
        except ValueError:
            continue
    found = Document.objects.filter(pk__in=asked).prefetch_related(LATEST_FIRST)
    return JsonResponse({str(document.pk): reading_of(document).as_json() for document in found})
