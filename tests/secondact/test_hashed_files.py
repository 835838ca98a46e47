"""Static files with hashed names, as `collectstatic` leaves them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.templatetags.static import static
from pytest_django import Settings

from secondact.hashed_files import HashedFiles
from secondact.static_files import StaticFiles
from tests.secondact.conftest import sent_by

IMPORTED = re.compile(r"""(?:from\s*|import\s*\(?\s*)["'](\.[^"']+)["']""")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything collected, once."""
    from django.conf import settings
    from django.contrib.staticfiles import storage

    root = tmp_path_factory.mktemp("static")
    before, settings.STATIC_ROOT = settings.STATIC_ROOT, root
    files = HashedFiles(location=str(root))
    wrapped, storage.staticfiles_storage._wrapped = storage.staticfiles_storage._wrapped, files  # type: ignore[attr-defined]
    try:
        call_command("collectstatic", verbosity=0, interactive=False)
    finally:
        settings.STATIC_ROOT = before
        storage.staticfiles_storage._wrapped = wrapped  # type: ignore[attr-defined]
    return root


def names(root: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
    return found


def test_every_module_of_the_page_imports_its_neighbours_by_their_hashed_names(collected: Path) -> None:
    modules = [hashed for name, hashed in names(collected).items() if re.fullmatch(r"chat/[^/]+\.js", name)]
    assert len(modules) > 10
    imports = 0
    for module in modules:
        for target in IMPORTED.findall((collected / module).read_text()):
            file = (collected / module).parent / target
            assert re.search(r"\.[0-9a-f]{12}\.js$", target), f"{module} imports {target}"
            assert file.exists(), f"{module} imports {target}"
            imports += 1
    assert imports > 20


def test_a_style_sheet_names_its_files_by_their_hashed_names(collected: Path) -> None:
    admin = (collected / names(collected)["admin/css/base.css"]).read_text()
    assert re.search(r'url\("[^"]+\.[0-9a-f]{12}\.svg"\)', admin)


async def test_a_hashed_file_is_kept_for_ever_and_a_plain_one_is_asked_for(collected: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = collected

    async def nothing_else(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError(scope["path"])

    served = StaticFiles(nothing_else)

    async def caching(name: str) -> dict[str, str]:
        start, *_ = await sent_by(served, path=f"/static/{name}")
        assert start["status"] == 200
        return {key.decode().lower(): value.decode() for key, value in start["headers"]}

    hashed = await caching(names(collected)["chat/page.js"])
    assert "immutable" in hashed["cache-control"]
    assert "max-age=315360000" in hashed["cache-control"]
    plain = await caching("chat/page.js")
    assert plain["cache-control"] == "max-age=60, public"
    assert plain["etag"]


def test_where_nothing_was_collected_names_are_plain() -> None:
    assert static("chat/page.js") == "/static/chat/page.js"
    assert static("not/there.js") == "/static/not/there.js"
