"""What clients send about turns, and what they get."""

from typing import Any

from rest_framework import serializers

from journeys.api.strict import StrictSerializer
from journeys.models import QUESTION_MAX_CHARACTERS, Feedback, Turn
from pipeline.live import live_body

REASON_MAX_CHARACTERS = 2_000


class TurnInput(StrictSerializer):
    """A question."""

    question = serializers.CharField(
        # Whether it is empty or too long is for the service to say, with the number of characters it counted.
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"At most {QUESTION_MAX_CHARACTERS:,} characters.",
    )
    answers = serializers.UUIDField(required=False, allow_null=True, help_text="The turn that asked back.")
    answer_anyway = serializers.BooleanField(required=False, help_text="Answer without asking back.")
    replaces = serializers.UUIDField(required=False, allow_null=True, help_text="An earlier turn this one replaces.")


class RetryInput(StrictSerializer):
    """How to answer again."""

    mode = serializers.ChoiceField(choices=["again", "continue"], default="again")


class FeedbackInput(StrictSerializer):
    """What a member thinks of an answer."""

    rating = serializers.ChoiceField(choices=Feedback.Rating.choices)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=REASON_MAX_CHARACTERS)


class FeedbackOutput(serializers.Serializer[Any]):
    """What a member said of an answer."""

    rating = serializers.ChoiceField(choices=Feedback.Rating.choices)
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class ClarificationOutput(serializers.Serializer[Any]):
    """What was asked back."""

    question = serializers.CharField()
    options = serializers.ListField(child=serializers.CharField())


class SourceOutput(serializers.Serializer[Any]):
    """A numbered source."""

    number = serializers.IntegerField()
    document = serializers.CharField()
    chunk = serializers.CharField()
    title = serializers.CharField()
    authority = serializers.CharField()
    content_type = serializers.CharField()
    locator = serializers.DictField(child=serializers.CharField())
    excerpt = serializers.CharField()
    link = serializers.CharField()


class CitationOutput(serializers.Serializer[Any]):
    """That the answer's span [start, end), in code points, rests on these words of a source."""

    # `source` names an argument of every field, so this one is declared without naming it.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The four fields."""
        return {
            "source": serializers.IntegerField(),
            "quote": serializers.CharField(),
            "start": serializers.IntegerField(),
            "end": serializers.IntegerField(),
        }


class SuggestionOutput(serializers.Serializer[Any]):
    """A follow-up question."""

    text = serializers.CharField()
    reason = serializers.CharField()


class JourneyOutput(serializers.Serializer[Any]):
    """Where the member stood after the turn."""

    stage = serializers.CharField(allow_null=True)
    proposed_stage = serializers.CharField(allow_null=True)
    reason = serializers.CharField()


class ErrorOutput(serializers.Serializer[Any]):
    """Why a turn failed."""

    code = serializers.CharField()
    message = serializers.CharField()


class TurnOutput(serializers.Serializer[Any]):
    """A turn: the body of `GET /turns/{id}` and of `turn.snapshot`."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(choices=Turn.Status.choices)
    question = serializers.CharField()
    answers = serializers.UUIDField(allow_null=True)
    answer_anyway = serializers.BooleanField()
    replaces = serializers.UUIDField(allow_null=True)
    intent = serializers.CharField()
    confidence = serializers.FloatField(allow_null=True)
    clarity = serializers.FloatField(allow_null=True)
    standalone_question = serializers.CharField()
    clarification = ClarificationOutput(allow_null=True)
    answer = serializers.CharField()
    stop_reason = serializers.CharField()
    sources = SourceOutput(many=True)
    citations = CitationOutput(many=True)
    sources_used = serializers.ListField(child=serializers.IntegerField())
    suggestions = SuggestionOutput(many=True)
    journey = JourneyOutput(allow_null=True)
    degraded = serializers.ListField(child=serializers.CharField())
    care = serializers.BooleanField()
    timings = serializers.DictField(child=serializers.FloatField())
    usage = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    error = ErrorOutput(allow_null=True)
    may_retry = serializers.BooleanField()
    last_seq = serializers.IntegerField()
    events_url = serializers.CharField()
    accepted_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    feedback = FeedbackOutput(allow_null=True)


class TurnPageOutput(serializers.Serializer[Any]):
    """A page of turns in their order."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TurnOutput(many=True)


class LiveTurn(serializers.BaseSerializer[Any]):
    """A turn written as its body, which is plain JSON already."""

    def to_representation(self, instance: Turn) -> dict[str, Any]:
        """The body."""
        return live_body(instance)
