"""The API's own description."""

import json
from dataclasses import fields
from typing import Any, get_args

import jsonschema
import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from openapi_spec_validator import OpenAPIV31SpecValidator

from corpus.taxonomy import Authority, ContentType
from journeys.models import Conversation
from journeys.selectors import turn_body
from journeys.services import turn_accept
from pipeline import events
from pipeline.turn import Source
from pipeline.turn_state import source_body


@pytest.fixture
def schema(client: Client, db: None) -> dict[str, Any]:
    answer = client.get("/api/v1/schema/")
    assert answer.status_code == 200
    described: dict[str, Any] = answer.json()
    return described


def test_it_is_valid_openapi_3_1(schema: dict[str, Any]) -> None:
    assert schema["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(schema).validate()


@pytest.mark.parametrize("kind", get_args(events.Event))
def test_every_event_has_a_schema(schema: dict[str, Any], kind: Any) -> None:
    frame = schema["components"]["schemas"][f"{kind.__name__}Event"]
    assert frame["properties"]["type"]["const"] == kind.type
    if kind is not events.TurnSnapshot:
        assert set(frame["properties"]["data"]["properties"]) == {field.name for field in fields(kind)}


SOURCE = Source(
    number=1,
    document="d",
    chunk="c",
    title="Disrupt You",
    authority=Authority.PRIMARY,
    content_type=ContentType.BOOK_CHAPTER,
    locator={"chapter": "3"},
    heading_path=("Three",),
    text="...",
    excerpt="...",
    link="/",
)


@pytest.mark.parametrize(
    "event",
    [
        events.AnswerDelta("Hello"),
        events.SourcesFound((source_body(SOURCE),)),
        events.SuggestionsReady(({"text": "And then?", "reason": "It follows."},)),
        events.JourneyUpdated(None, "exploring", "Because."),
        events.TurnDone("answered", {"intent": 1.5}, {"intent": {"input": 3}}, ("intent",)),
    ],
)
def test_a_frame_on_the_wire_fits_its_schema(schema: dict[str, Any], event: Any) -> None:
    frame = events.frame_of(event, turn="6c3b7c36-0000-4000-8000-000000000000", seq=1)
    whole = {**schema["components"]["schemas"][f"{type(event).__name__}Event"], "components": schema["components"]}
    jsonschema.Draft202012Validator(whole).validate(json.loads(json.dumps(frame)))


def test_sources_are_described_as_they_are_sent(schema: dict[str, Any]) -> None:
    assert set(schema["components"]["schemas"]["SourceOutput"]["properties"]) == set(source_body(SOURCE))


def test_every_call_says_how_it_fails(schema: dict[str, Any]) -> None:
    for path, calls in schema["paths"].items():
        for call in calls.values():
            assert not path.startswith("/api/") or "application/problem+json" in call["responses"]["default"]["content"]


def test_the_stream_and_signing_in_are_described(schema: dict[str, Any]) -> None:
    stream = schema["paths"]["/api/v1/turns/{turn_id}/events"]["get"]
    assert "text/event-stream" in stream["responses"]["200"]["content"]
    assert "/_allauth/app/v1/auth/login" in schema["paths"]
    assert schema["components"]["securitySchemes"]["sessionToken"]["name"] == "X-Session-Token"


def test_yaml_is_served_on_request(client: Client, db: None) -> None:
    assert client.get("/api/v1/schema/?format=yaml").content.startswith(b"openapi: 3.1")


def test_the_page_has_no_script_or_style_within(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    assert "<style" not in page
    assert page.count("<script") == page.count("<script src=")
    assert "//cdn" not in page
    assert client.get("/api/v1/docs/?script=").headers["Content-Type"].startswith("application/javascript")


def test_nothing_is_left_to_guess(client: Client, db: None) -> None:
    GENERATOR_STATS.reset()
    client.get("/api/v1/schema/")
    assert not GENERATOR_STATS


def test_a_snapshot_carries_the_body_of_a_turn(schema: dict[str, Any]) -> None:
    snapshot = schema["components"]["schemas"]["TurnSnapshotEvent"]
    assert snapshot["properties"]["data"] == {"$ref": "#/components/schemas/TurnOutput"}


def test_a_stored_turn_fits_its_schema(schema: dict[str, Any], conversation: Conversation) -> None:
    turn = turn_accept(member=conversation.member, conversation_id=conversation.id, question="Why?").turn
    body = {**schema["components"]["schemas"]["TurnOutput"], "components": schema["components"]}
    jsonschema.Draft202012Validator(body).validate(turn_body(turn))
    assert set(body["properties"]) == set(turn_body(turn))
