import importlib
import re
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import pytest

from secondact.env import ROOT

PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)", re.MULTILINE)
WANTED = re.compile(r"^([A-Za-z0-9._-]+)", re.MULTILINE)


def pins(path: Path) -> dict[str, str]:
    return {_plain(name): number for name, number in PIN.findall(path.read_text())}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_that_is_wanted_is_pinned() -> None:
    wanted = {_plain(name) for name in WANTED.findall((ROOT / "requirements.in").read_text())}
    assert wanted <= set(pins(ROOT / "requirements.txt"))


def test_no_pin_brings_torch_or_a_second_framework() -> None:
    heavy = {"torch", "tensorflow", "onnxruntime", "transformers", "sentence-transformers"}
    assert heavy.isdisjoint(pins(ROOT / "requirements.txt"))


def test_what_is_installed_is_what_is_pinned() -> None:
    found = {}
    for name in pins(ROOT / "requirements.txt"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    assert found == pins(ROOT / "requirements.txt")


@pytest.mark.filterwarnings("ignore")
def test_every_package_that_is_wanted_can_be_imported() -> None:
    wanted = {_plain(name) for name in WANTED.findall((ROOT / "requirements.in").read_text())}
    modules = [
        module
        for module, distributions in packages_distributions().items()
        if wanted & {_plain(name) for name in distributions} and module.isidentifier() and not module.startswith("_")
    ]
    assert len(modules) >= len(wanted)
    for module in modules:
        importlib.import_module(module)
