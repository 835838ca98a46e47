"""The first page: what this is for whoever is not signed in, the member's page for whoever is."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render


def landing(request: HttpRequest) -> HttpResponse:
    """The landing page, or the way to the member's page."""
    if request.user.is_authenticated:
        return HttpResponseRedirect("/chat/")
    return render(request, "secondact/landing.html")
