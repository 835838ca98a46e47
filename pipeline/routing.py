"""The addresses of WebSockets."""

from django.urls import path

from pipeline.transports.websocket import ConversationConsumer

websocket_urlpatterns = [path("ws/conversations/<str:conversation>/", ConversationConsumer.as_asgi())]
