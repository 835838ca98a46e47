"""The modules of the graph's picture, and the vendored library as it was published."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from secondact.env import ROOT

STATIC = ROOT / "static" / "corpus"
NODE = shutil.which("node")


def test_vendored_files_are_those_whose_checksums_are_kept() -> None:
    folder = STATIC / "vendor"
    lines = [line.split(maxsplit=1) for line in (folder / "SHA256SUMS").read_text().splitlines()]
    there = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name != "SHA256SUMS"
    }
    assert there == {name: digest for digest, name in lines}


@pytest.mark.skipif(NODE is None, reason="node is not installed: the tests of the graph's modules did not run")
def test_the_modules_do_what_their_own_tests_say() -> None:
    assert NODE
    file = Path(__file__).with_name("neighbours.test.mjs")
    run = subprocess.run([NODE, "--test", str(file)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr


def test_no_module_makes_html_of_names() -> None:
    for path in (STATIC / "graph").glob("*.js"):
        assert "innerHTML" not in path.read_text(), path.name
