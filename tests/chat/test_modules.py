"""The page's modules: their own tests under node, and the vendored libraries as they were published."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from secondact.env import ROOT

CHAT = ROOT / "static" / "chat"
VENDOR = CHAT / "vendor"
NODE = shutil.which("node")
HERE = Path(__file__).parent


@pytest.mark.skipif(NODE is None, reason="node is not installed: the tests of the page's modules did not run")
@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_the_modules_do_what_their_own_tests_say(file: str) -> None:
    assert NODE
    run = subprocess.run([NODE, "--test", str(HERE / file)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr


def test_vendored_files_are_those_whose_checksums_are_kept() -> None:
    lines = [line.split(maxsplit=1) for line in (VENDOR / "SHA256SUMS").read_text().splitlines()]
    kept = {name: digest for digest, name in lines}
    there = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "SHA256SUMS"
    }
    assert there == kept


def test_the_stream_knows_no_page_and_drawing_no_network() -> None:
    for name in ("stream", "frames", "backoff", "sse", "sse-source", "socket-source", "turn"):
        assert not re.search(r"\b(document|window)\b\.", (CHAT / f"{name}.js").read_text()), name
    for name in ("render", "answer-view"):
        assert not re.search(r"\b(fetch|WebSocket|XMLHttpRequest)\b", (CHAT / f"{name}.js").read_text()), name


def test_no_module_makes_html_of_texts() -> None:
    for path in CHAT.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text()
        )
