"""The first page: what this is for whoever is not signed in, the member's page for whoever is."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.templatetags.static import static


def landing(request: HttpRequest) -> HttpResponse:
    """The landing page, or the way to the member's page."""
    if request.user.is_authenticated:
        return HttpResponseRedirect("/chat/")
    return render(request, "secondact/landing.html")


def favicon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  (a view takes its request)
    """Where browsers look for an icon by themselves, as on pages that name none."""
    return HttpResponseRedirect(static("secondact/favicon.png"))
