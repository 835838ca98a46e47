from typing import Any

import pytest

from secondact.head_requests import NoBodyForHead


async def two_blocks(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"ab", "more_body": True})
    await send({"type": "http.response.body", "body": b"cd"})


@pytest.mark.parametrize(("method", "body"), [("HEAD", b""), ("GET", b"abcd")])
async def test_only_a_head_request_gets_no_body(method: str, body: bytes) -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await NoBodyForHead(two_blocks)({"type": "http", "method": method}, None, send)  # type: ignore[arg-type]

    assert sent[0]["headers"] == [(b"content-length", b"4")]
    assert b"".join(message["body"] for message in sent[1:]) == body
