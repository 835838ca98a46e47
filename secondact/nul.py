"""No NUL character reaches Postgres, which refuses it in any text: such a request is answered 400."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from secondact.problems import problem_response

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class NulMiddleware:
    """Looks at the path, the query, the cookies and the fields of forms; JSON is looked at by the API's serializers."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer 400, or pass the request on."""
        if not iscoroutinefunction(self.get_response):
            return refusal() if nul_in(request) else self.get_response(request)
        return self._answer(request)

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if nul_in(request):
            return refusal()
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


def refusal() -> HttpResponse:
    """The answer to a request with a NUL."""
    detail = "The request holds a NUL character, which no text here may hold."
    return problem_response(status=400, code="nul_character", detail=detail, permanent=True)
