"""What some Markdown files say about themselves before the text: a YAML block, or Pandoc's percent signs."""

import re
from dataclasses import dataclass

from corpus.ingestion.clean import one_line

_YAML = re.compile(r"\A---[ \t]*\n(?P<lines>(?:.*\n){0,60}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_YAML_LINE = re.compile(r"[A-Za-z_][\w -]*:(?:\s|$)|\s|- |#|$")
_YAML_FIELD = re.compile(r"^(?P<name>title|lang|language):[ \t]*(?P<value>.*)$", re.IGNORECASE)
_PANDOC = re.compile(r"\A%(?P<title>.*\n(?:[ \t]+\S.*\n)*)(?:%.*\n(?:[ \t]+\S.*\n)*){0,2}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What was found, and the text that follows it."""

    body: str
    title: str = ""
    language: str = ""


def take_front_matter(text: str) -> FrontMatter:
    """Part a Markdown text from what it says about itself; a text that opens with a ruled line stays whole."""
    if match := _YAML.match(text):
        lines = match["lines"].split("\n")
        if any(":" in line for line in lines) and all(_YAML_LINE.match(line) for line in lines):
            fields = {found["name"].lower(): found["value"] for line in lines if (found := _YAML_FIELD.match(line))}
            language = fields.get("lang") or fields.get("language") or ""
            return FrontMatter(text[match.end() :], _unquoted(fields.get("title", "")), _unquoted(language))
    if match := _PANDOC.match(text):
        return FrontMatter(text[match.end() :], one_line(match["title"]))
    return FrontMatter(text)


def _unquoted(value: str) -> str:
    value = one_line(value)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
