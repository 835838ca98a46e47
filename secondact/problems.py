"""Every error as RFC 9457 problem+json: those of our apps, of Django REST framework and of plain views.

An app's error is anything with `code`, `status` and `permanent`; secondact alone knows that HTTP exists. What nobody
foresaw under /api/ becomes a 500 that tells the client nothing, and is logged.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Protocol, runtime_checkable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views import defaults
from rest_framework import exceptions
from rest_framework.views import set_rollback

from journeys.errors import RunInProgress
from journeys.selectors import turn_events_url

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
API_PREFIX = "/api/"
ALLAUTH_PREFIX = "/_allauth/"
ACCOUNTS_PREFIX = "/accounts/"
ADMIN_PREFIX = "/admin/"
TRY_AGAIN_SECONDS = 5
_PLAIN_REFUSALS: Mapping[int, str] = {
    HTTPStatus.FORBIDDEN: "permission_denied",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
}
"""What the CSRF check and decorators of plain views answer by themselves."""


@runtime_checkable
class AppError(Protocol):
    """What the errors of corpus, journeys and pipeline have in common."""

    code: str
    status: int
    permanent: bool


def problem_response(
    *, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> HttpResponse:
    """An answer whose body is a problem; `more` are its further members."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "code": code}
    return JsonResponse(body | more, status=status, content_type=MEDIA_TYPE, headers=dict(headers or {}))


def drf_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:  # noqa: ARG001  (DRF's signature)
    """Django REST framework's EXCEPTION_HANDLER. None, for what nobody foresaw, lets the middleware answer."""
    set_rollback()
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, exceptions.APIException):
        return _drf_problem(error)
    return _foreseen(error)


class ProblemMiddleware:
    """Turns what a view raises into a problem: our apps' errors anywhere, every other error under /api/.

    A page that is not there stays a page: people, not programs, open it.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Pass the request on."""
        response = self.get_response(request)
        return _said(request, response) if isinstance(response, HttpResponseBase) else self._answer(request, response)

    async def _answer(self, request: HttpRequest, response: Awaitable[HttpResponseBase]) -> HttpResponseBase:
        return _said(request, await response)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The problem of what a view raised; None leaves it to Django."""
        if isinstance(error, AppError):
            if error.status == HTTPStatus.NOT_FOUND and not _is_api(request):
                return _plain(defaults.page_not_found(request, error))
            if request.path.startswith(ALLAUTH_PREFIX):
                return _allauth_error(error)
            if request.path.startswith(ACCOUNTS_PREFIX):
                return render(request, "account/trouble.html", {"detail": str(error)}, status=error.status)
            return _app_problem(error)
        if isinstance(error, ValidationError) and request.path.startswith(ADMIN_PREFIX):
            # Django's admin looks some ids up as they stand in the address; what is no UUID names nothing.
            return _plain(defaults.page_not_found(request, error))
        if not _is_api(request):
            return None
        known = _foreseen(error)
        if known is not None:
            return known
        if isinstance(error, SuspiciousOperation | BadRequest):
            return _bad_request(error)
        logger.error("Unexpected error", exc_info=error, extra={"path": request.path})
        return _unexpected()


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return _bad_request(exception) if _is_api(request) else _plain(defaults.bad_request(request, exception))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return _foreseen(PermissionDenied()) if _is_api(request) else _plain(defaults.permission_denied(request, exception))  # type: ignore[return-value]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404: an address that does not exist."""
    return _nothing_here() if _is_api(request) else _plain(defaults.page_not_found(request, exception))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: what was raised outside of views. Django has logged it."""
    return _unexpected() if _is_api(request) else _plain(defaults.server_error(request))


def _said(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The response; as a problem where Django itself refused a call under /api/ with a page for people."""
    code = _PLAIN_REFUSALS.get(response.status_code)
    if code is None or not _is_api(request) or response.headers.get("Content-Type") == MEDIA_TYPE:
        return response
    allowed = {"Allow": response.headers["Allow"]} if "Allow" in response.headers else {}
    detail = "This call cannot be made like this."
    return problem_response(status=response.status_code, code=code, detail=detail, headers=allowed, permanent=True)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API_PREFIX)


def _plain(response: HttpResponseBase) -> HttpResponse:
    assert isinstance(response, HttpResponse)
    return response


def _foreseen(error: Exception) -> HttpResponse | None:
    """The problem of an error that Django or our apps raise on purpose."""
    if isinstance(error, AppError):
        return _app_problem(error)
    if isinstance(error, Http404):
        return _nothing_here()
    if isinstance(error, PermissionDenied):
        return problem_response(status=403, code="permission_denied", detail="You may not do this.")
    return None


def _allauth_error(error: AppError) -> HttpResponse:
    """An app's error in the form that the other answers of django-allauth have."""
    headers = {} if error.permanent else {"Retry-After": str(TRY_AGAIN_SECONDS)}
    body = {"status": error.status, "errors": [{"code": error.code, "message": str(error)}]}
    return JsonResponse(body, status=error.status, headers=headers)


def _app_problem(error: AppError) -> HttpResponse:
    """An app's error, with what helps the client to go on."""
    headers = {}
    if not error.permanent and error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(TRY_AGAIN_SECONDS)
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "X-Session-Token"
    more: dict[str, Any] = {"permanent": error.permanent}
    if isinstance(error, RunInProgress):
        more |= {"turn": error.turn_id, "events": turn_events_url(error.turn_id)}
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        logger.warning("Answered %s: %s", error.status, error.code, exc_info=error)  # type: ignore[arg-type]
    return problem_response(status=error.status, code=error.code, detail=str(error), headers=headers, **more)


def _drf_problem(error: exceptions.APIException) -> HttpResponse:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return problem_response(
        status=error.status_code,
        code=str(getattr(error.detail, "code", error.default_code)),
        detail=str(error.detail),
        headers=headers,
    )


def _invalid(error: exceptions.ValidationError) -> HttpResponse:
    """A validation error with one entry for each thing wrong."""
    found = list(_field_errors(error.detail))
    return problem_response(
        status=400, code="invalid", detail="The request holds values that cannot be accepted.", errors=found
    )


def _field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Every leaf of DRF's nested details, with the dotted path of its field; empty for the whole body."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            step = "" if name == "non_field_errors" else str(name)
            yield from _field_errors(inner, ".".join(part for part in (path, step) if part))
    elif isinstance(detail, list):
        nested = any(isinstance(inner, Mapping | list) for inner in detail)
        for index, inner in enumerate(detail):
            yield from _field_errors(inner, f"{path}.{index}".lstrip(".") if nested else path)
    else:
        yield {"field": path, "code": str(getattr(detail, "code", "invalid")), "detail": str(detail)}


def _bad_request(error: Exception) -> HttpResponse:
    if isinstance(error, RequestDataTooBig):
        return problem_response(status=413, code="too_large", detail="The request is too large.")
    return problem_response(status=400, code="bad_request", detail="The request cannot be read.")


def _nothing_here() -> HttpResponse:
    return problem_response(status=404, code="not_found", detail="There is nothing at this address.")


def _unexpected() -> HttpResponse:
    return problem_response(
        status=500, code="internal_error", detail="Something went wrong on our side. It has been noted."
    )
