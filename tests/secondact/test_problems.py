"""Every error is a problem with a stable code."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest
from django.test import AsyncClient, Client, RequestFactory
from django.urls import path
from django.views.decorators.http import require_GET
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from corpus.errors import DocumentNotFound, SearchUnavailable
from journeys.errors import IdempotencyMismatch, InvalidQuestion, RunInProgress
from journeys.errors import NotFound as TurnNotFound
from pipeline.errors import Draining, UnknownEvent
from secondact import problems

TURN = "6c3b7c36-0000-4000-8000-000000000000"
RAISED: dict[str, Exception] = {
    "question": InvalidQuestion("The question is empty."),
    "running": RunInProgress(TURN),
    "mismatch": IdempotencyMismatch(),
    "turn": TurnNotFound(),
    "document": DocumentNotFound(),
    "search": SearchUnavailable(),
    "draining": Draining(),
    "event": UnknownEvent(),
    "missing": Http404("secret"),
    "denied": PermissionDenied("secret"),
    "suspicious": SuspiciousOperation("secret"),
    "bug": RuntimeError("secret"),
    "validation": exceptions.ValidationError({"a": [{"b": ["Wrong."]}], "non_field_errors": ["All wrong."]}),
    "throttled": exceptions.Throttled(wait=4.2),
    "media": exceptions.UnsupportedMediaType("text/plain"),
    "method": exceptions.MethodNotAllowed("PUT"),
}


class DrfView(APIView):
    authentication_classes = []
    permission_classes = []

    def get(self, request: Request, name: str) -> Response:
        raise RAISED[name]

    def post(self, request: Request, name: str) -> Response:
        return Response(request.data)


def plain_view(request: HttpRequest, name: str) -> Any:
    raise RAISED[name]


async def async_view(request: HttpRequest, name: str) -> Any:
    raise RAISED[name]


@require_GET
async def read_only_view(request: HttpRequest) -> Any:
    raise AssertionError


urlpatterns = [
    path("api/v1/read-only", read_only_view),
    path("api/v1/drf/<name>", DrfView.as_view()),
    path("api/v1/plain/<name>", plain_view),
    path("api/v1/async/<name>", async_view),
    path("page/<name>", plain_view),
]
handler400 = problems.bad_request
handler403 = problems.forbidden
handler404 = problems.not_found
handler500 = problems.server_error

pytestmark = pytest.mark.urls(__name__)

EXPECTED = [
    ("question", 400, "invalid_question"),
    ("running", 409, "run_in_progress"),
    ("mismatch", 422, "idempotency_mismatch"),
    ("turn", 404, "not_found"),
    ("document", 404, "not_found"),
    ("search", 503, "search_unavailable"),
    ("draining", 503, "draining"),
    ("event", 400, "unknown_event"),
    ("missing", 404, "not_found"),
    ("denied", 403, "permission_denied"),
    ("suspicious", 400, "bad_request"),
    ("bug", 500, "internal_error"),
]


def check(answer: Any, status: int, code: str) -> None:
    body = json.loads(answer.content)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code)
    assert {"type", "title", "detail"} <= set(body)
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize(("name", "status", "code"), EXPECTED)
@pytest.mark.parametrize("kind", ["drf", "plain"])
def test_an_error_of_a_view_is_a_problem(client: Client, kind: str, name: str, status: int, code: str) -> None:
    check(client.get(f"/api/v1/{kind}/{name}"), status, code)


@pytest.mark.parametrize(("name", "status", "code"), EXPECTED)
async def test_an_error_of_an_async_view_is_a_problem(name: str, status: int, code: str) -> None:
    check(await AsyncClient().get(f"/api/v1/async/{name}"), status, code)


def test_a_running_turn_is_named_with_the_address_of_its_events(client: Client) -> None:
    body = client.get("/api/v1/plain/running").json()
    assert (body["turn"], body["events"]) == (TURN, f"/api/v1/turns/{TURN}/events")
    assert body["permanent"] is False


def test_what_passes_says_when_to_try_again(client: Client) -> None:
    assert client.get("/api/v1/plain/draining").headers["Retry-After"] == "5"
    assert client.get("/api/v1/drf/throttled").headers["Retry-After"] == "5"


def test_a_validation_error_names_each_field(client: Client) -> None:
    body = client.get("/api/v1/drf/validation").json()
    assert body["errors"] == [
        {"field": "a.0.b", "code": "invalid", "detail": "Wrong."},
        {"field": "", "code": "invalid", "detail": "All wrong."},
    ]


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [("throttled", 429, "throttled"), ("media", 415, "unsupported_media_type"), ("method", 405, "method_not_allowed")],
)
def test_what_the_framework_refuses_is_a_problem(client: Client, name: str, status: int, code: str) -> None:
    check(client.get(f"/api/v1/drf/{name}"), status, code)


def test_a_wrong_media_type_or_accept_header_is_a_problem() -> None:
    api = APIClient()
    check(
        api.post("/api/v1/drf/x", "a=1", content_type="application/x-www-form-urlencoded"),
        415,
        "unsupported_media_type",
    )
    check(api.get("/api/v1/drf/turn", headers={"Accept": "text/plain"}), 406, "not_acceptable")


async def test_what_django_itself_refuses_is_a_problem_too() -> None:
    refused = await AsyncClient().put("/api/v1/read-only")
    check(refused, 405, "method_not_allowed")
    assert refused.headers["Allow"] == "GET"
    check(await AsyncClient(enforce_csrf_checks=True).post("/api/v1/async/turn"), 403, "permission_denied")


def test_a_page_without_its_csrf_token_is_refused_by_a_page() -> None:
    refused = Client(enforce_csrf_checks=True).post("/page/turn")
    assert (refused.status_code, refused.headers["Content-Type"].split(";")[0]) == (403, "text/html")


def test_an_address_that_does_not_exist_is_a_problem_under_the_api_only(client: Client) -> None:
    check(client.get("/api/v1/nothing"), 404, "not_found")
    assert client.get("/nothing").headers["Content-Type"].startswith("text/html")


def test_a_page_keeps_its_own_errors(client: Client) -> None:
    for name in ("missing", "turn"):
        page = client.get(f"/page/{name}")
        assert (page.status_code, page.headers["Content-Type"].split(";")[0]) == (404, "text/html")
    with pytest.raises(RuntimeError):
        client.get("/page/bug")


def test_an_error_outside_of_views_is_a_problem_without_details() -> None:
    check(problems.server_error(RequestFactory().get("/api/v1/x")), 500, "internal_error")


def test_an_unexpected_error_is_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.get("/api/v1/plain/bug")
    assert "RuntimeError: secret" in caplog.text
