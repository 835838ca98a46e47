"""The addresses of the library, under /api/v1/."""

from django.urls import path

from corpus.api import documents, personas

urlpatterns = [
    path("documents/<uuid:document_id>", documents.DocumentApi.as_view(), name="document"),
    path("personas", personas.PersonasApi.as_view(), name="personas"),
]
