"""The API's own description: what Django REST framework cannot tell by itself, and the pages that serve it."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from secondact.event_schemas import event_components
from secondact.problems import MEDIA_TYPE

Schema = dict[str, Any]

STREAM_PATH = "/api/v1/turns/{turn_id}/events"
TURN_PATH = "/api/v1/turns/{turn_id}"
_SIGN_IN = "/_allauth/app/v1/auth/login"
_SIGN_OUT = "/_allauth/app/v1/auth/session"


class SchemaView(SpectacularAPIView):
    """The description of the API, as JSON or, on request, as YAML."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]


class DocsView(SpectacularSwaggerSplitView):
    """The description for people; its script is a file of its own, as the content security policy asks."""

    template_name = "secondact/api_docs.html"


class SessionTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """How the session token is described."""

    target_class = "secondact.api.SessionTokenAuthentication"
    name = "sessionToken"

    def get_security_definition(self, auto_schema: Any) -> Schema:  # noqa: ARG002  (drf-spectacular's signature)
        """The header an app signs in with."""
        return {"type": "apiKey", "in": "header", "name": "X-Session-Token"}


class AccessTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """How the access token is described."""

    target_class = "secondact.api.AccessTokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: Any) -> Schema:  # noqa: ARG002  (drf-spectacular's signature)
        """The JWT an app may send instead."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}


def describe_streams(result: Schema, generator: Any, request: Any, public: bool) -> Schema:  # noqa: ARG001
    """Add the events of pipeline/events.py, the call that streams them, and signing in and out."""
    components = result.setdefault("components", {}).setdefault("schemas", {})
    components.update(event_components(snapshot=_turn_schema(result)))
    result["paths"][STREAM_PATH] = {"get": _stream_call()}
    result["paths"][_SIGN_IN] = {"post": _sign_in_call()}
    result["paths"][_SIGN_OUT] = {"delete": _sign_out_call()}
    return result


def describe_problems(result: Schema, generator: Any, request: Any, public: bool) -> Schema:  # noqa: ARG001
    """Add the problem that every call may answer with."""
    result["components"]["schemas"]["Problem"] = _problem_schema()
    answer = {
        "description": "What went wrong.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path, calls in result["paths"].items():
        if path.startswith("/api/"):
            for call in calls.values():
                call.setdefault("responses", {}).setdefault("default", answer)
    return result


def _turn_schema(result: Schema) -> Schema:
    """The schema of `GET /turns/{id}`, whose body a snapshot carries."""
    call = result["paths"].get(TURN_PATH, {}).get("get", {})
    content = call.get("responses", {}).get("200", {}).get("content", {})
    schema: Schema = content.get("application/json", {}).get("schema", {"type": "object"})
    return schema


def _stream_call() -> Schema:
    after = {"type": "integer", "minimum": 0}
    return {
        "operationId": "turn_events",
        "tags": ["turns"],
        "summary": "Follow a turn",
        "description": (
            "Server-sent events. Each has `id:` (the frame's seq) and one line `data:` with a Frame as JSON; a comment "
            "comes every 15 seconds. The stream ends after `turn.done`, `turn.failed`, or the `turn.snapshot` of a "
            "finished turn. After a cut, ask again with the last id seen: nothing is lost or sent twice."
        ),
        "parameters": [
            {"in": "path", "name": "turn_id", "required": True, "schema": {"type": "string", "format": "uuid"}},
            {"in": "query", "name": "after", "schema": after, "description": "Send only frames with a greater seq."},
            {"in": "header", "name": "Last-Event-ID", "schema": after, "description": "The same, as browsers send it."},
        ],
        "security": [{"sessionToken": []}, {"accessToken": []}, {"cookieAuth": []}],
        "responses": {
            "200": {
                "description": "The frames of the turn.",
                "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/Frame"}}},
            },
            "204": {"description": "The turn is finished and nothing comes after the given seq."},
        },
    }


def _sign_in_call() -> Schema:
    text = {"type": "string"}
    credentials = {
        "type": "object",
        "properties": {"email": {"type": "string", "format": "email"}, "password": text},
        "required": ["email", "password"],
    }
    meta = {
        "type": "object",
        "properties": {"session_token": text, "access_token": text, "refresh_token": text},
        "description": "Send `session_token` as X-Session-Token, or `access_token` as Authorization: Bearer.",
    }
    body = {"type": "object", "properties": {"meta": meta, "data": {"type": "object"}}}
    return {
        "operationId": "sign_in",
        "tags": ["sign-in"],
        "summary": "Sign in",
        "security": [],
        "requestBody": {"required": True, "content": {"application/json": {"schema": credentials}}},
        "responses": {
            "200": {"description": "Signed in.", "content": {"application/json": {"schema": body}}},
            "400": {"description": "E-mail or password is wrong."},
            "429": {"description": "Too many tries."},
        },
    }


def _sign_out_call() -> Schema:
    return {
        "operationId": "sign_out",
        "tags": ["sign-in"],
        "summary": "Sign out",
        "security": [{"sessionToken": []}],
        "responses": {"401": {"description": "Signed out: the token is not valid any more."}},
    }


def _problem_schema() -> Schema:
    text = {"type": "string"}
    error = {
        "type": "object",
        "properties": {"field": text, "code": text, "detail": text},
        "required": ["field", "code", "detail"],
    }
    return {
        "type": "object",
        "description": "RFC 9457. Go by `code`, show `detail`.",
        "properties": {
            "type": text,
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "code": text,
            "permanent": {"type": "boolean", "description": "Trying again cannot help."},
            "errors": {"type": "array", "items": error, "description": "With code `invalid`: each field at fault."},
            "turn": {"type": "string", "format": "uuid", "description": "With `run_in_progress`: the running turn."},
            "events": {"type": "string", "description": "With `run_in_progress`: where it is followed."},
        },
        "required": ["type", "title", "status", "detail", "code"],
    }
