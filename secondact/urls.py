"""Every address of the product. /livez and /readyz are answered before Django, by secondact.health."""

from django.contrib import admin
from django.urls import include, path

from pipeline.admin.explain import explain_view
from pipeline.transports.page import chat
from secondact import health
from secondact.landing import landing
from secondact.openapi import DocsView, SchemaView

urlpatterns = [
    path("", landing, name="landing"),
    path("chat/", chat, name="chat"),
    path("chat/<uuid:conversation_id>/", chat, name="chat-conversation"),
    path("admin/dependencies/", health.dependencies, name="dependencies"),
    path("admin/explain/", admin.site.admin_view(explain_view), name="explain"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("_allauth/", include("allauth.headless.urls")),
    path("api/v1/schema/", SchemaView.as_view(), name="schema"),
    path("api/v1/docs/", DocsView.as_view(url_name="schema"), name="api-docs"),
    path("api/v1/", include("journeys.urls")),
    path("api/v1/", include("corpus.urls")),
    path("api/v1/", include("pipeline.urls")),
]

handler400 = "secondact.problems.bad_request"
handler403 = "secondact.problems.forbidden"
handler404 = "secondact.problems.not_found"
handler500 = "secondact.problems.server_error"
