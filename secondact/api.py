"""What every call of the API has in common: who asks, what may be sent, how often. Settings name these by path."""

import json
from collections.abc import Mapping
from typing import IO, Any

from allauth.headless.contrib.rest_framework.authentication import JWTTokenAuthentication, XSessionTokenAuthentication
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from rest_framework import exceptions, parsers, throttling
from rest_framework.request import Request

BODY_MAX_BYTES = 1_000_000
"""Far above any body of this API, so that a question that is too long is told how long it may be."""


class SessionTokenAuthentication(XSessionTokenAuthentication):  # type: ignore[misc]  # allauth is untyped
    """The session token of a signed-in app. A token that is not valid (any more) answers 401."""

    allow_anonymous_users = False
    allow_invalid_session_tokens = False

    def authenticate(self, request: HttpRequest) -> tuple[AbstractBaseUser, Any] | None:
        """The member of the token; None without one."""
        found: tuple[AbstractBaseUser, Any] | None = super().authenticate(request)
        if found is not None and not found[0].is_active:
            raise exceptions.AuthenticationFailed
        return found

    def get_session_token(self, request: HttpRequest) -> str | None:
        """The token in the header. Raises AuthenticationFailed for what no token can look like."""
        token: str | None = super().get_session_token(request)
        if token and not (token.isascii() and token.isprintable()):
            raise exceptions.AuthenticationFailed
        return token


class AccessTokenAuthentication(JWTTokenAuthentication):  # type: ignore[misc]  # allauth is untyped
    """The access token (JWT) of a signed-in app, as `Authorization: Bearer`."""

    def authenticate_credentials(self, key: str) -> tuple[AbstractBaseUser, Any]:
        """The member of the token. Raises AuthenticationFailed."""
        user, payload = super().authenticate_credentials(key)
        if not user.is_active:
            raise exceptions.AuthenticationFailed
        return user, payload


class BodyTooLarge(exceptions.APIException):
    """A body past the limit."""

    status_code = 413
    default_detail = f"A request has at most {BODY_MAX_BYTES:,} bytes."
    default_code = "too_large"


class BoundedJSONParser(parsers.BaseParser):
    """JSON in UTF-8, of bounded size and depth, without the numbers that JSON does not have."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002  (DRF's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002  (DRF's signature)
    ) -> Any:
        """The decoded body. Raises BodyTooLarge, ParseError."""
        body = stream.read(BODY_MAX_BYTES + 1)
        if len(body) > BODY_MAX_BYTES:
            raise BodyTooLarge
        try:
            return json.loads(body.decode(), parse_constant=_no_such_number)
        except (ValueError, RecursionError) as error:
            raise exceptions.ParseError("The body is not JSON that can be read.") from error


class MemberThrottle(throttling.UserRateThrottle):
    """So many calls a member and minute."""

    scope = "member"

    def get_rate(self) -> str | None:
        """The rate in force now."""
        return _rate(self.scope)


class AnonymousThrottle(throttling.AnonRateThrottle):
    """So many calls an address and minute for those who are not signed in."""

    scope = "anonymous"

    def get_rate(self) -> str | None:
        """The rate in force now."""
        return _rate(self.scope)


class ScopeThrottle(throttling.ScopedRateThrottle):
    """A rate of its own for views with a `throttle_scope`, such as sending a question."""

    def get_rate(self) -> str | None:
        """The rate in force now."""
        return _rate(self.scope or "")

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this call is within the rate; reading is never counted here."""
        return request.method in ("GET", "HEAD", "OPTIONS") or bool(super().allow_request(request, view))


def _rate(scope: str) -> str | None:
    rates: Mapping[str, str] = settings.API_RATES
    return rates.get(scope)


def _no_such_number(name: str) -> None:
    raise ValueError(f"{name} is no number.")
