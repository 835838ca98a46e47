"""The member's page: one document that its modules under static/chat/ fill through the API."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET

from journeys.models import QUESTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS
from pipeline.wiring import answers_are_local

STARTERS = (
    "How do I begin a second act?",
    "What is the first step if I want to change careers at 50?",
    "How do I test an idea before I quit my job?",
    "What do I do with the fear of failing?",
)


@require_GET
@never_cache
@ensure_csrf_cookie
@login_required
def chat(request: HttpRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """The page of a conversation, or of one that is not begun yet; whose it is, the API says."""
    context = {
        "conversation": conversation_id or "",
        "starters": STARTERS,
        "question_limit": QUESTION_MAX_CHARACTERS,
        "title_limit": TITLE_MAX_CHARACTERS,
        "answers_are_local": answers_are_local(),
    }
    return render(request, "chat/chat.html", context)
