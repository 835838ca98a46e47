"""The stages of the way."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from journeys.selectors import stage_list


class StageOutput(serializers.Serializer[Any]):
    """A stage."""

    slug = serializers.CharField()
    ordinal = serializers.IntegerField()
    name = serializers.CharField()
    description = serializers.CharField()


class StagesOutput(serializers.Serializer[Any]):
    """Every stage, in the order of the way."""

    results = StageOutput(many=True)


class StagesApi(APIView):
    """The stages of the way."""

    @extend_schema(operation_id="stage_list", responses=StagesOutput)
    def get(self, request: Request) -> Response:  # noqa: ARG002  (DRF's signature)
        """List the stages in the order of the way."""
        return Response({"results": StageOutput(stage_list(), many=True).data})
