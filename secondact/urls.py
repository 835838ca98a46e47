"""Every address of the product. /livez and /readyz are answered before Django, by secondact.health."""

from django.contrib import admin
from django.urls import include, path

from pipeline.admin.explain import explain_view
from pipeline.transports.page import chat
from secondact import account_api, account_views, health
from secondact.landing import favicon, landing
from secondact.openapi import DocsView, SchemaView

urlpatterns = [
    path("", landing, name="landing"),
    path("favicon.ico", favicon),
    path("chat/", chat, name="chat"),
    path("chat/<uuid:conversation_id>/", chat, name="chat-conversation"),
    path("admin/dependencies/", health.dependencies, name="dependencies"),
    path("admin/explain/", admin.site.admin_view(explain_view), name="explain"),
    path("admin/", admin.site.urls),
    path("accounts/", account_views.account, name="account"),
    path("accounts/login/", account_views.SignInPage.as_view(), name="account_login"),
    path("accounts/signup/", account_views.SignUpPage.as_view(), name="account_signup"),
    path("accounts/password/reset/", account_views.ResetPage.as_view(), name="account_reset_password"),
    path("accounts/invitation/<str:token>/", account_views.invitation, name="account_invitation"),
    path("accounts/", include("allauth.urls")),
    path("_allauth/app/v1/auth/signup", account_api.sign_up),
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
