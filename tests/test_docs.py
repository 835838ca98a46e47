"""What docs/ says of the code is so."""

import re
from dataclasses import fields
from typing import Any, get_args

import pytest

from corpus.errors import NoActiveSpace, SearchUnavailable
from journeys.models import Turn
from pipeline.endings import INTERNAL, INTERRUPTED, TOO_LONG
from pipeline.errors import Draining, EmptyAnswer, ModelUnavailable, NoRunLoop, StreamBroken
from pipeline.events import Event, TurnSnapshot
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


def test_every_kind_of_status_is_told() -> None:
    page = (ROOT / "docs" / "events.md").read_text()
    assert {status for status in Turn.Status.values if f"`{status}`" not in page} == set()


@pytest.mark.parametrize("kind", [kind for kind in get_args(Event) if kind is not TurnSnapshot])
def test_every_event_is_told_with_all_its_fields(kind: Any) -> None:
    page = (ROOT / "docs" / "events.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith(f"| `{kind.type}`")]
    assert len(rows) == 1
    assert {field.name for field in fields(kind) if f"`{field.name}`" not in rows[0]} == set()


def test_every_code_of_a_failed_turn_is_told() -> None:
    page = (ROOT / "docs" / "events.md").read_text()
    errors = (StreamBroken, EmptyAnswer, ModelUnavailable, SearchUnavailable, NoActiveSpace, NoRunLoop, Draining)
    codes = {error.code for error in errors} | {ending.code for ending in (INTERRUPTED, INTERNAL, TOO_LONG)}
    assert {code for code in codes if f"`{code}`" not in page} == set()
