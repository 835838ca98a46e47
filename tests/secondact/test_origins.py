import pytest
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from secondact.origins import OwnOrigins, origin_allowed


def headers(host: str, origin: str | None, **more: str) -> dict[bytes, bytes]:
    found = {"host": host} | ({"origin": origin} if origin is not None else {}) | more
    return {name.replace("_", "-").encode(): value.encode() for name, value in found.items()}


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("app.example.org", "http://app.example.org", True),
        ("app.example.org", "http://app.example.org:80", True),
        ("app.example.org:8000", "http://app.example.org:8000", True),
        ("app.example.org", "HTTP://APP.example.org", True),
        ("app.example.org", None, True),
        ("app.example.org", "https://evil.example", False),
        ("app.example.org", "https://app.example.org", False),
        ("app.example.org:8000", "http://app.example.org:9000", False),
        ("app.example.org", "http://sub.app.example.org", False),
        ("app.example.org", "http://app.example.org.evil.example", False),
        ("app.example.org", "null", False),
        ("app.example.org", "", False),
        ("app.example.org", "http://app.example.org:port", False),
        ("evil.example", "http://evil.example", False),
        ("app.example.org", "https://chat.example.org", True),
    ],
)
def test_only_our_own_pages_may_open_a_socket(settings: Settings, host: str, origin: str | None, allowed: bool) -> None:
    settings.ALLOWED_HOSTS = ["app.example.org"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://chat.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = None
    assert origin_allowed(headers(host, origin), scheme="http") is allowed


async def accepted(origin: str | None, **more: str) -> bool:
    async def accepts(scope: object, receive: object, send: object) -> None:
        await send({"type": "websocket.accept"})  # type: ignore[operator]

    sent = list(headers("app.example.org", origin, cookie="sessionid=1", **more).items())
    socket = WebsocketCommunicator(OwnOrigins(accepts), "/ws/", headers=sent)
    connected, _ = await socket.connect()
    return bool(connected)


async def test_a_foreign_page_is_refused_in_spite_of_the_cookie(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["app.example.org"]
    assert await accepted("http://app.example.org")
    assert not await accepted("http://evil.example")


async def test_behind_a_proxy_the_scheme_is_the_one_it_tells(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["app.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert await accepted("https://app.example.org", x_forwarded_proto="https")
    assert not await accepted("http://app.example.org", x_forwarded_proto="https")
