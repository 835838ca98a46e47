"""A HEAD request is answered without a body. Daphne keeps back only the first block of one: the client would read the
second as the answer to its next request.
"""

from collections.abc import Awaitable, Callable
from typing import Any


class NoBodyForHead:
    """An ASGI application that sends no body to a HEAD request and passes everything else on."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Pass on, with empty bodies for HEAD."""

        async def send_head(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        head = scope["type"] == "http" and scope["method"] == "HEAD"
        await self.application(scope, receive, send_head if head else send)
