"""The addresses of conversations and of the journey, under /api/v1/."""

from django.urls import path

from journeys.api import conversations, me, stages

urlpatterns = [
    path("conversations", conversations.ConversationsApi.as_view(), name="conversations"),
    path("conversations/<uuid:conversation_id>", conversations.ConversationApi.as_view(), name="conversation"),
    path("me", me.MeApi.as_view(), name="me"),
    path("me/journey", me.JourneyApi.as_view(), name="journey"),
    path("me/journey/accept", me.AcceptApi.as_view(), name="journey-accept"),
    path("me/journey/decline", me.DeclineApi.as_view(), name="journey-decline"),
    path("me/journey/correct", me.CorrectApi.as_view(), name="journey-correct"),
    path("me/journey/undo", me.UndoApi.as_view(), name="journey-undo"),
    path("stages", stages.StagesApi.as_view(), name="stages"),
]
