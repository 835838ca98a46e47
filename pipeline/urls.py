"""The addresses of turns, under /api/v1/."""

from django.urls import path

from pipeline.api import turns
from pipeline.transports.sse import turn_events

urlpatterns = [
    path("conversations/<uuid:conversation_id>/turns", turns.ConversationTurnsApi.as_view(), name="turns"),
    path("turns/<uuid:turn_id>", turns.TurnApi.as_view(), name="turn"),
    path("turns/<uuid:turn_id>/events", turn_events, name="turn-events"),
    path("turns/<uuid:turn_id>/stop", turns.TurnStopApi.as_view(), name="turn-stop"),
    path("turns/<uuid:turn_id>/feedback", turns.TurnFeedbackApi.as_view(), name="turn-feedback"),
    path("turns/<uuid:turn_id>/retry", turns.TurnRetryApi.as_view(), name="turn-retry"),
]
