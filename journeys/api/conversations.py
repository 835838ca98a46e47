"""Conversations: make, list, read, rename, delete."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from journeys.api.asking import member_of
from journeys.api.pages import PageQuery, page_response
from journeys.api.strict import StrictSerializer, body_of, query_of
from journeys.models import TITLE_MAX_CHARACTERS
from journeys.selectors import conversation_get, conversation_list
from journeys.services import conversation_create, conversation_delete, conversation_rename

SEARCH_MAX_CHARACTERS = 200


class ConversationQuery(PageQuery):
    """What a list of conversations takes in its address."""

    search = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=SEARCH_MAX_CHARACTERS,
        help_text="Only conversations whose title or one of whose questions holds this.",
    )


class ConversationCreateInput(StrictSerializer):
    """A new conversation."""

    title = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=TITLE_MAX_CHARACTERS,
        help_text="Left out, the first question gives the title.",
    )


class ConversationRenameInput(StrictSerializer):
    """A new title."""

    title = serializers.CharField(max_length=TITLE_MAX_CHARACTERS)


class ConversationOutput(serializers.Serializer[Any]):
    """A conversation."""

    id = serializers.UUIDField()
    title = serializers.CharField(help_text="Empty until the first question was asked.")
    title_edited = serializers.BooleanField(help_text="Whether the member gave the title.")
    turn_count = serializers.IntegerField(help_text="The number of its latest turn.")
    created_at = serializers.DateTimeField()
    changed_at = serializers.DateTimeField(help_text="When its latest question was asked.")


class ConversationPageOutput(serializers.Serializer[Any]):
    """A page of conversations, the latest first."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = ConversationOutput(many=True)


class ConversationsApi(APIView):
    """The member's own conversations."""

    @extend_schema(operation_id="conversation_list", parameters=[ConversationQuery], responses=ConversationPageOutput)
    def get(self, request: Request) -> Response:
        """List the conversations, the latest first."""
        query = query_of(request, ConversationQuery)
        found = conversation_list(member=member_of(request), search=query.get("search", ""))
        return page_response(request, found, ConversationOutput, ordering=("-changed_at", "-id"))

    @extend_schema(
        operation_id="conversation_create", request=ConversationCreateInput, responses={201: ConversationOutput}
    )
    def post(self, request: Request) -> Response:
        """Make a conversation."""
        values = body_of(request, ConversationCreateInput)
        conversation = conversation_create(member=member_of(request), title=values.get("title", ""))
        headers = {"Location": f"{request.path}/{conversation.id}"}
        return Response(ConversationOutput(conversation).data, status=201, headers=headers)


class ConversationApi(APIView):
    """One of the member's own conversations."""

    @extend_schema(operation_id="conversation_get", responses=ConversationOutput)
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """Read a conversation; its turns have an address of their own."""
        conversation = conversation_get(member=member_of(request), conversation_id=conversation_id)
        return Response(ConversationOutput(conversation).data)

    @extend_schema(operation_id="conversation_rename", request=ConversationRenameInput, responses=ConversationOutput)
    def patch(self, request: Request, conversation_id: UUID) -> Response:
        """Give a conversation a title of one's own."""
        values = body_of(request, ConversationRenameInput)
        conversation = conversation_rename(
            member=member_of(request), conversation_id=conversation_id, title=values["title"]
        )
        return Response(ConversationOutput(conversation).data)

    @extend_schema(operation_id="conversation_delete", responses={204: None})
    def delete(self, request: Request, conversation_id: UUID) -> Response:
        """Delete a conversation with its turns; 409 `run_in_progress` while a turn runs: stop it first."""
        conversation_delete(member=member_of(request), conversation_id=conversation_id)
        return Response(status=204)
