"""What the pages about documents share: who may see them, and what every page of the admin shows."""

from typing import Any
from uuid import UUID

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest

from corpus.models import Document, Ingestion

LATEST_FIRST = Prefetch("ingestions", queryset=Ingestion.objects.order_by("-created_at", "id"))


class DocumentPages:
    """The pages beside the list and the form, on the permissions of the documents' admin."""

    def __init__(self, documents: "ModelAdmin[Document]") -> None:
        self.documents = documents

    def document_seen(self, request: HttpRequest, document_id: UUID) -> Document:
        """A document that the editor may look at. Raises Http404, PermissionDenied."""
        return self._document(document_id, allowed=self.documents.has_view_permission(request))

    def document_changed(self, request: HttpRequest, document_id: UUID) -> Document:
        """A document that the editor may change. Raises Http404, PermissionDenied."""
        return self._document(document_id, allowed=self.documents.has_change_permission(request))

    def context(self, request: HttpRequest, *, title: str, document: Document | None = None) -> dict[str, Any]:
        """What the frame of a page needs."""
        opts = Document._meta
        frame = {"title": title, "document": document, "opts": opts, "app_label": opts.app_label}
        return self.documents.admin_site.each_context(request) | frame

    def _document(self, document_id: UUID, *, allowed: bool) -> Document:
        if not allowed:
            raise PermissionDenied
        document = Document.objects.prefetch_related(LATEST_FIRST).filter(pk=document_id).first()
        if document is None:
            raise Http404("There is no such document.")
        return document
