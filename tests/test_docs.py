"""What docs/ says of the code is so."""

import re

import pytest

from secondact.env import ROOT

LEFT_OUT = {"__init__", "apps", "migrations", "urls"}
"""What every app has; Django's own names say what they are."""


@pytest.mark.parametrize("app", ["corpus", "journeys", "pipeline", "secondact"])
def test_the_architecture_page_names_every_module(app: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    table = page.partition(f"### `{app}/`")[2].partition("###")[0]
    named = {name.removesuffix(".py").rstrip("/") for name in re.findall(r"\w+(?:\.py|/)", table)}
    there = {path.stem for path in (ROOT / app).glob("*.py")} | {
        path.parent.name for path in (ROOT / app).glob("*/__init__.py")
    }
    assert there - LEFT_OUT - named == set()
    assert {name for name in named - there if not any((ROOT / app).rglob(f"{name}.py"))} == set()


def test_every_kind_of_event_and_of_status_is_told() -> None:
    from journeys.models import Turn
    from pipeline.events import TERMINAL_TYPES, Event

    page = (ROOT / "docs" / "events.md").read_text()
    types = {kind.type for kind in Event.__args__} | TERMINAL_TYPES
    assert {name for name in (*types, *Turn.Status.values) if f"`{name}`" not in page} == set()
