"""The personas a member may choose from."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from corpus.selectors import persona_list


class PersonaOutput(serializers.Serializer[Any]):
    """A persona."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()


class PersonasOutput(serializers.Serializer[Any]):
    """Every persona, by name."""

    results = PersonaOutput(many=True)


class PersonasApi(APIView):
    """The personas."""

    @extend_schema(operation_id="persona_list", responses=PersonasOutput)
    def get(self, request: Request) -> Response:  # noqa: ARG002  (DRF's signature)
        """List the personas by name."""
        return Response({"results": PersonaOutput(persona_list(), many=True).data})
