"""Turns: ask, list, read, stop, retry, give feedback."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from journeys import selectors, services
from journeys.api.asking import member_of
from journeys.api.pages import PageQuery, page_response
from journeys.api.strict import body_of
from journeys.models import Turn
from pipeline.api.bodies import (
    FeedbackInput,
    FeedbackOutput,
    LiveTurn,
    RetryInput,
    TurnInput,
    TurnOutput,
    TurnPageOutput,
)
from pipeline.live import live_body
from pipeline.sending import turn_retry, turn_send, turn_stop

_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A repeated call with the same key and body answers with the turn the first one made.",
)


class ConversationTurnsApi(APIView):
    """The turns of one of the member's own conversations."""

    throttle_scope = "send"

    @extend_schema(operation_id="turn_list", tags=["turns"], parameters=[PageQuery], responses=TurnPageOutput)
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """List the turns in their order; a turn that a later one replaces is not shown."""
        conversation = selectors.conversation_get(member=member_of(request), conversation_id=conversation_id)
        return page_response(request, selectors.turn_list(conversation), LiveTurn, ordering=("number",))

    @extend_schema(
        operation_id="turn_send", tags=["turns"], parameters=[_KEY], request=TurnInput, responses={202: TurnOutput}
    )
    def post(self, request: Request, conversation_id: UUID) -> Response:
        """Ask. The turn runs whoever follows it; 409 `run_in_progress` while another of the conversation does."""
        turn = turn_send(
            member=member_of(request),
            conversation_id=conversation_id,
            idempotency_key=request.headers.get("Idempotency-Key"),
            **body_of(request, TurnInput),
        )
        return _accepted(turn)


class TurnApi(APIView):
    """One of the member's own turns."""

    @extend_schema(operation_id="turn_get", tags=["turns"], responses=TurnOutput)
    def get(self, request: Request, turn_id: UUID) -> Response:
        """Read a turn; while it runs, with what there is of its answer."""
        return Response(live_body(selectors.turn_get(member=member_of(request), turn_id=turn_id)))


class TurnStopApi(APIView):
    """Stopping."""

    @extend_schema(operation_id="turn_stop", tags=["turns"], request=None, responses={202: TurnOutput, 200: TurnOutput})
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Stop a turn and keep its text; 200 when it had ended already."""
        turn = turn_stop(member=member_of(request), turn_id=turn_id)
        return Response(live_body(turn), status=200 if turn.finished else 202)


class TurnRetryApi(APIView):
    """Asking again."""

    throttle_scope = "send"

    @extend_schema(
        operation_id="turn_retry", tags=["turns"], parameters=[_KEY], request=RetryInput, responses={202: TurnOutput}
    )
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Answer the question anew, or go on where its text ends, in a new turn that replaces this one."""
        turn = turn_retry(
            member=member_of(request),
            turn_id=turn_id,
            idempotency_key=request.headers.get("Idempotency-Key"),
            **body_of(request, RetryInput),
        )
        return _accepted(turn)


class TurnFeedbackApi(APIView):
    """What the member thinks of an answer."""

    @extend_schema(operation_id="turn_feedback", tags=["turns"], request=FeedbackInput, responses=FeedbackOutput)
    def post(self, request: Request, turn_id: UUID) -> Response:
        """Say whether an answer helped; a later word replaces an earlier one."""
        values: dict[str, Any] = body_of(request, FeedbackInput)
        given = services.feedback_give(member=member_of(request), turn_id=turn_id, **values)
        return Response(FeedbackOutput(given).data)


def _accepted(turn: Turn) -> Response:
    return Response(live_body(turn), status=202, headers={"Location": f"/api/v1/turns/{turn.pk}"})
