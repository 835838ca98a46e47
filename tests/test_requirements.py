"""What our code imports is what a fresh installation holds: no format or adapter fails only at its first use."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from secondact.env import ROOT

APPS = ("corpus", "journeys", "pipeline", "secondact")
LISTED = re.compile(r"^([A-Za-z0-9._-]+)", re.MULTILINE)


def listed() -> set[str]:
    """The distributions that requirements.in names."""
    return {plain(name) for name in LISTED.findall((ROOT / "requirements.in").read_text())}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(path: Path) -> Iterator[str]:
    """The top-level packages that a file imports, within functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def modules(package: str) -> list[str]:
    """Every module of a package, by its full name."""
    found = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
    return [module.name for module in found]


@pytest.mark.parametrize("app", APPS)
def test_every_import_belongs_to_a_listed_requirement(app: str) -> None:
    of_package = packages_distributions()
    names = {name for path in (ROOT / app).rglob("*.py") for name in imported(path)}
    foreign = names - set(sys.stdlib_module_names) - set(APPS)
    assert {name for name in foreign if listed().isdisjoint(map(plain, of_package.get(name, [])))} == set()


@pytest.mark.parametrize("app", APPS)
def test_every_module_can_be_imported(app: str) -> None:
    for module in modules(app):
        importlib.import_module(module)


def test_every_reader_and_adapter_is_among_them() -> None:
    readers = {path.stem for path in (ROOT / "corpus" / "ingestion" / "readers").glob("*.py")} - {"__init__"}
    assert readers
    assert {f"corpus.ingestion.readers.{reader}" for reader in readers} <= set(modules("corpus"))
