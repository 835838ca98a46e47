"""The member: what they told us, and where they stand on their journey."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from journeys.api.asking import member_of
from journeys.api.stages import StageOutput
from journeys.api.strict import StrictSerializer, body_of
from journeys.models import Member, Profile, StageChange
from journeys.selectors import journey_of, profile_of
from journeys.services import profile_update, stage_accept, stage_correct, stage_decline, stage_undo

REASON_MAX_CHARACTERS = 1_000


class MeOutput(serializers.Serializer[Profile]):
    """The member and their profile; null and empty mean not asked or not sure."""

    id = serializers.UUIDField(source="member.id")
    email = serializers.EmailField(source="member.email")
    first_name = serializers.CharField(source="member.first_name")
    last_name = serializers.CharField(source="member.last_name")
    stage = serializers.CharField(source="stage_id", allow_null=True, help_text="Changed by the calls of the journey.")
    persona = serializers.CharField(source="persona.slug", allow_null=True, help_text="Slug.")
    country = serializers.CharField(help_text="Two-letter code, for the help lines.")
    share_questions = serializers.BooleanField(help_text="Editors may see single questions.")


class MeInput(StrictSerializer):
    """What a member may change."""

    first_name = serializers.CharField(max_length=150, allow_blank=True)
    last_name = serializers.CharField(max_length=150, allow_blank=True)
    persona = serializers.CharField(max_length=60, allow_null=True, help_text="Slug of a persona; null: not sure.")
    country = serializers.CharField(max_length=2, allow_blank=True)
    share_questions = serializers.BooleanField()


class StageChangeOutput(serializers.Serializer[StageChange]):
    """A step that was proposed, taken, declined or taken back."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=StageChange.Kind.choices)
    before = serializers.CharField(source="before_id", allow_null=True)
    after = serializers.CharField(source="after_id", allow_null=True)
    reason = serializers.CharField()
    by_member = serializers.BooleanField(help_text="False when the rules proposed it.")
    turn = serializers.UUIDField(source="turn_id", allow_null=True, help_text="The turn after which it was proposed.")
    at = serializers.DateTimeField()


class MemberJourneyOutput(serializers.Serializer[Any]):
    """Where the member stands."""

    stage = StageOutput(allow_null=True)
    proposal = StageChangeOutput(allow_null=True, help_text="A step the member may accept or decline.")
    changes = StageChangeOutput(many=True, help_text="Every step so far, the newest first.")


class ProposalInput(StrictSerializer):
    """Which proposal is answered."""

    proposal = serializers.IntegerField(
        required=False, min_value=1, help_text="Its number; given, no other proposal is answered by mistake."
    )


class CorrectInput(StrictSerializer):
    """Where the member says they stand."""

    stage = serializers.CharField(max_length=40, allow_null=True, help_text="Slug of a stage; null: not sure.")
    reason = serializers.CharField(required=False, allow_blank=True, max_length=REASON_MAX_CHARACTERS)


class NothingInput(StrictSerializer):
    """An empty body."""


class MeApi(APIView):
    """The member and their profile."""

    @extend_schema(operation_id="me_get", responses=MeOutput)
    def get(self, request: Request) -> Response:
        """Read one's profile."""
        return _me(member_of(request))

    @extend_schema(operation_id="me_update", request=MeInput, responses=MeOutput)
    def patch(self, request: Request) -> Response:
        """Change one's profile; what is left out stays as it is."""
        member = member_of(request)
        profile_update(member=member, changes=body_of(request, MeInput, partial=True))
        return _me(member)


class JourneyApi(APIView):
    """The member's journey."""

    @extend_schema(operation_id="journey_get", responses=MemberJourneyOutput)
    def get(self, request: Request) -> Response:
        """Read where one stands, what is proposed, and how one came here."""
        return _journey(member_of(request))


class AcceptApi(APIView):
    """Taking the proposed step."""

    @extend_schema(operation_id="journey_accept", request=ProposalInput, responses=MemberJourneyOutput)
    def post(self, request: Request) -> Response:
        """Accept the proposed stage; 409 `conflict` when none is proposed."""
        member = member_of(request)
        stage_accept(member=member, proposal=body_of(request, ProposalInput).get("proposal"))
        return _journey(member)


class DeclineApi(APIView):
    """Saying no to the proposed step."""

    @extend_schema(operation_id="journey_decline", request=ProposalInput, responses=MemberJourneyOutput)
    def post(self, request: Request) -> Response:
        """Decline the proposed stage; 409 `conflict` when none is proposed."""
        member = member_of(request)
        stage_decline(member=member, proposal=body_of(request, ProposalInput).get("proposal"))
        return _journey(member)


class CorrectApi(APIView):
    """Saying oneself where one stands."""

    @extend_schema(operation_id="journey_correct", request=CorrectInput, responses=MemberJourneyOutput)
    def post(self, request: Request) -> Response:
        """Set one's stage; 409 `conflict` when one stands there already."""
        member = member_of(request)
        stage_correct(member=member, **body_of(request, CorrectInput))
        return _journey(member)


class UndoApi(APIView):
    """Taking back a step."""

    @extend_schema(operation_id="journey_undo", request=NothingInput, responses=MemberJourneyOutput)
    def post(self, request: Request) -> Response:
        """Take back the last step that is not taken back yet; 409 `conflict` when there is none."""
        member = member_of(request)
        body_of(request, NothingInput)
        stage_undo(member=member)
        return _journey(member)


def _me(member: Member) -> Response:
    return Response(MeOutput(profile_of(member)).data)


def _journey(member: Member) -> Response:
    return Response(MemberJourneyOutput(journey_of(member)).data)
