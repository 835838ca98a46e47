"""No NUL character reaches Postgres, which refuses it in any text: such a request is answered 400.

JSON is looked at by the serializers of the API. Those of django-allauth let a lone surrogate pass, which nothing can
hash or store: its calls are looked at here.
"""

import json
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from secondact.problems import problem_response

ALLAUTH_PREFIX = "/_allauth/"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class NulMiddleware:
    """Looks at the path, the query, the cookies, the fields of forms and the JSON of django-allauth."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer 400, or pass the request on."""
        if not iscoroutinefunction(self.get_response):
            return _refused(request) or self.get_response(request)
        return self._answer(request)

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if (refused := _refused(request)) is not None:
            return refused
        response = self.get_response(request)
        assert not isinstance(response, HttpResponseBase)
        return await response


def nul_in(request: HttpRequest) -> bool:
    """Whether a NUL stands anywhere where a view would read it as text."""
    texts = [request.path, *request.COOKIES.values()]
    for fields in (request.GET, request.POST if request.content_type in FORMS else {}):
        for name, values in dict(fields).items():
            texts += [name, *(value for value in values if isinstance(value, str))]
    return any("\0" in text for text in texts)


def no_text_in(request: HttpRequest) -> bool:
    """Whether the JSON of a call of django-allauth holds what is no text, or cannot be read for its depth."""
    if not request.path.startswith(ALLAUTH_PREFIX) or request.content_type != "application/json":
        return False
    try:
        json.dumps(json.loads(request.body), ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return True
    except ValueError:
        return False  # what is no JSON at all, allauth refuses by itself
    return False


def _refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to a request that holds what no text here may hold; None for every other."""
    if nul_in(request):
        detail = "The request holds a NUL character, which no text here may hold."
        return problem_response(status=400, code="nul_character", detail=detail, permanent=True)
    if no_text_in(request):
        return problem_response(status=400, code="bad_request", detail="The request cannot be read.", permanent=True)
    return None
