from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from secondact.static_files import StaticFiles
from tests.secondact.conftest import sent_by


@pytest.fixture
def root(settings: Settings, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "page.css").write_text("body {}" * 20_000)
    (tmp_path.parent / "secret").write_text("secret")
    return tmp_path


async def get(
    path: str, method: str = "GET", headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    async def django(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b"django"})

    sent = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    start, *parts = await sent_by(StaticFiles(django), path=path, method=method, headers=sent)
    body = b"".join(part["body"] for part in parts)
    return start["status"], {name.decode().lower(): value.decode() for name, value in start["headers"]}, body


async def test_a_static_file_comes_whole_with_its_type(root: Path) -> None:
    status, headers, body = await get("/static/page.css")
    assert (status, headers["content-type"]) == (200, 'text/css; charset="utf-8"')
    assert body == (root / "page.css").read_bytes()


async def test_a_file_that_has_not_changed_is_not_sent_again(root: Path) -> None:
    _, headers, _ = await get("/static/page.css")
    status, _, body = await get("/static/page.css", headers={"if-modified-since": headers["last-modified"]})
    assert (status, body) == (304, b"")


async def test_head_has_no_body(root: Path) -> None:
    status, _, body = await get("/static/page.css", method="HEAD")
    assert (status, body) == (200, b"")


@pytest.mark.parametrize("path", ["/static/missing.css", "/static/../secret", "/static/", "/static/\0", "/page.css"])
async def test_everything_else_is_passed_on(root: Path, path: str) -> None:
    assert await get(path) == (404, {}, b"django")
