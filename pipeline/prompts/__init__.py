"""The prompts: one Markdown file a node that talks to a model, its version in the first line."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's text and its version, e.g. "response-1", which is stored with the turn."""

    version: str
    text: str


@cache
def prompt_of(node: str) -> Prompt:
    """The prompt of a node: intent, response or suggestions."""
    first, _, text = (_HERE / f"{node}.md").read_text(encoding="utf-8").partition("\n")
    label, _, number = first.partition(": ")
    if label != "version" or not number.strip().isdigit():
        raise ValueError(f"{node}.md does not begin with a line like 'version: 1'.")
    return Prompt(version=f"{node}-{number.strip()}", text=text.strip())
