"""Static files before Django: WhiteNoise finds them, a thread reads them, and no other request passes through a thread.

WhiteNoise's own middleware cannot run async, and one such middleware would send every request through a thread.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from whitenoise import WhiteNoise

Application = Callable[..., Awaitable[None]]
BLOCK = 64 * 1024
HASHED = r"\.[0-9a-f]{12}\.\w+$"
"""The names that secondact.hashed_files gives: such a file never changes, and is kept for ever."""
PLAIN_SECONDS = 60
"""How long any other one is used without asking whether it has changed."""


class StaticFiles:
    """An ASGI application that answers addresses of static files and passes everything else on."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.prefix = settings.STATIC_URL
        max_age = 0 if settings.DEBUG else PLAIN_SECONDS
        self.files = WhiteNoise(None, autorefresh=settings.DEBUG, max_age=max_age, immutable_file_test=HASHED)
        if settings.STATIC_ROOT.is_dir():
            self.files.add_files(str(settings.STATIC_ROOT), prefix=self.prefix)

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Send the file, or pass on."""
        found = None
        if scope["type"] == "http" and scope["path"].startswith(self.prefix):
            found = await asyncio.to_thread(self._find, scope["path"])
        if found is None:
            await self.application(scope, receive, send)
            return
        response = await asyncio.to_thread(found.get_response, scope["method"], _environ(scope["headers"]))
        await send(
            {
                "type": "http.response.start",
                "status": int(response.status),
                "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers],
            }
        )
        await self._send_body(response.file, send)

    def _find(self, path: str) -> Any:
        return self.files.find_file(path) if self.files.autorefresh else self.files.files.get(path)

    async def _send_body(self, file: Any, send: Callable[..., Any]) -> None:
        try:
            while file is not None and (block := await asyncio.to_thread(file.read, BLOCK)):
                await send({"type": "http.response.body", "body": block, "more_body": True})
        finally:
            if file is not None:
                file.close()
        await send({"type": "http.response.body", "body": b""})


def _environ(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by the names of WSGI, which WhiteNoise reads."""
    texts = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
    return {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in texts}
