"""What the styles and lists of a Word document mean: which paragraphs are headings, and how items are numbered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from corpus.ingestion.readers.trees import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading ([1-9])")
_DEEPEST = 9
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def value(element: Element | None, name: str, key: str = "val") -> str:
    """An attribute of a child by its name; empty when there is none."""
    child = None if element is None else element.find(f"{W}{name}")
    return "" if child is None else str(child.get(f"{W}{key}") or "")


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style means here."""

    level: int = 0
    """Of a heading, 1 to 9; 0 for any other style."""
    is_title: bool = False
    list_id: str = ""
    list_level: str = ""


def read_styles(root: Element | None) -> Mapping[str, Style]:
    """The paragraph styles by their ids, each with what it takes over from the style it is based on."""
    found = {} if root is None else {str(style.get(f"{W}styleId")): style for style in root.iter(f"{W}style")}
    return {name: _style(name, found) for name in found}


def _style(name: str, found: Mapping[str, Element]) -> Style:
    level, is_title, list_id, list_level = 0, False, "", ""
    seen: set[str] = set()
    while name in found and name not in seen:
        seen.add(name)
        style = found[name]
        called = value(style, "name").lower()
        level = level or _level(style, called)
        is_title = is_title or called == "title"
        numbering = style.find(f"{W}pPr/{W}numPr")
        list_id = list_id or value(numbering, "numId")
        list_level = list_level or value(numbering, "ilvl")
        name = value(style, "basedOn")
    return Style(level, is_title, list_id, list_level)


def _level(style: Element, called: str) -> int:
    if match := _HEADING.fullmatch(called):
        return int(match[1])
    return outline_level(style.find(f"{W}pPr"))


def outline_level(properties: Element | None) -> int:
    """A heading's level from the outline level of a paragraph or style; 0 for body text."""
    given = value(properties, "outlineLvl")
    return int(given) + 1 if given.isdecimal() and int(given) < _DEEPEST else 0


@dataclass
class Numbering:
    """Counts the items of a document's lists, as Word does when it shows them."""

    formats: Mapping[tuple[str, str], tuple[str, int]]
    """By list and level: how a number is written, and the first one."""
    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def marker(self, list_id: str, level: str) -> str:
        """What stands before the next item of a list."""
        way, first = self.formats.get((list_id, level), ("bullet", 1))
        if way in ("bullet", "none"):
            return "- "
        depth = int(level) if level.isdecimal() else 0
        for deeper in [key for key in self.counts if key[0] == list_id and int(key[1] or 0) > depth]:
            del self.counts[deeper]
        number = self.counts.get((list_id, level), first - 1) + 1
        self.counts[list_id, level] = number
        return f"{_written(number, way)}. "


def read_numbering(root: Element | None) -> Numbering:
    """The lists that a document defines."""
    if root is None:
        return Numbering({})
    kinds = {str(kind.get(f"{W}abstractNumId")): kind for kind in root.iter(f"{W}abstractNum")}
    formats: dict[tuple[str, str], tuple[str, int]] = {}
    for num in root.iter(f"{W}num"):
        kind = kinds.get(value(num, "abstractNumId"))
        for level in () if kind is None else kind.iter(f"{W}lvl"):
            start = value(level, "start")
            key = (str(num.get(f"{W}numId")), str(level.get(f"{W}ilvl")))
            formats[key] = (value(level, "numFmt") or "decimal", int(start) if start.isdecimal() else 1)
    return Numbering(formats)


def _written(number: int, way: str) -> str:
    match way:
        case "lowerLetter" | "upperLetter" if 1 <= number <= len(_LETTERS):
            text = _LETTERS[number - 1]
        case "lowerRoman" | "upperRoman" if 1 <= number < 400:
            text = _roman(number)
        case _:
            text = str(number)
    return text.upper() if way.startswith("upper") else text


def _roman(number: int) -> str:
    text = ""
    for worth, letters in _ROMAN:
        while number >= worth:
            text, number = text + letters, number - worth
    return text
