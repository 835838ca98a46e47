"""A tree of HTML elements to blocks in reading order: what a page and a chapter of an e-book have in common."""

import re
from dataclasses import dataclass, field
from typing import Protocol

from lxml import etree

from corpus.ingestion.readers.trees import Element, attribute, local_name
from corpus.ingestion.sections import BlockKind

_SILENT = frozenset(
    re.findall(
        r"\w+",
        "head script style template noscript iframe object embed svg canvas audio video button "
        "select textarea input rt rp map dialog",
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body center dd details div dl dt fieldset figcaption figure "
        "footer header hgroup hr legend li main nav ol p pre section summary table tbody td tfoot th "
        "thead tr ul caption",
    )
)
_NOT_IN_DATA = frozenset(
    re.findall(
        r"\w+",
        "table ul ol dl pre blockquote h1 h2 h3 h4 h5 h6 p div",
    )
)
_LISTS = frozenset(("ul", "ol", "menu"))
_DEEPEST = 8
"""Lists within lists beyond it are indented no further."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_PAGE_MARK = re.compile(r"\b(?:pagebreak|doc-pagebreak|pagenum|pageno|x-ebookmaker-pageno)\b")
_SPACES = re.compile(r"[ \t\r\n\f]+")
# Scripts without spaces: a line end between two of their characters stands for nothing.
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_WIDE_LINE_END = re.compile(rf"(?<=[{_WIDE}])[ \t]*[\r\n]\s*(?=[{_WIDE}])")
_BREAK = "\x0b"
"""Stands for a line break while blanks are folded; no text can hold it, since cleaning takes it for a line end."""


class Sink(Protocol):
    """Where headings and blocks go."""

    def heading(self, text: str, level: int) -> None:
        """A heading of HTML's level 1 to 6."""

    def block(self, text: str, kind: BlockKind) -> None:
        """A block with text."""

    def anchor(self, name: str) -> None:
        """An element with this id begins here."""


@dataclass
class _Table:
    cells: list[str] | None = None
    """Of the row that is open; None within a table made for layout only."""
    in_cell: bool = False
    pieces: list[str] = field(default_factory=list)
    is_head: bool = True
    """Whether every cell of the row that is open is a heading's."""


class MarkupWalk:
    """One pass over a tree."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._pieces: list[str] = []
        self._lists: list[int | None] = []
        """For each open list the number of its next item; None for bullets."""
        self._marker = ""
        self._tables: list[_Table] = []
        self._pre = 0
        self._heading = 0

    def read(self, root: Element) -> None:
        """Hand every heading and block below the root to the sink."""
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            name = local_name(element)
            silent = name in _SILENT or _unseen(element, name)
            if event == "start":
                if silent:
                    self._instead(element, name)
                    walk.skip_subtree()
                    continue
                self._open(element, name)
                self._add(element.text)
            else:
                if not silent:
                    self._close(name)
                if element is not root:
                    self._add(element.tail)
        self._flush()

    def _instead(self, element: Element, name: str) -> None:
        if name == "math" and (formula := attribute(element, "alttext")):
            self._pieces.append(f" {formula} ")

    def _open(self, element: Element, name: str) -> None:
        if name in _BLOCKS or name in _HEADINGS:
            self._flush()
        if anchor := attribute(element, "id") or (name == "a" and attribute(element, "name")) or "":
            self._sink.anchor(anchor)
        match name:
            case "br":
                self._pieces.append(_BREAK)
            case "pre":
                self._pre += 1
            case "ul" | "ol" | "menu":
                start = attribute(element, "start")
                self._lists.append((int(start) if start.isdecimal() else 1) if name == "ol" else None)
            case "li" if self._lists:
                number = self._lists[-1]
                self._marker = "- " if number is None else f"{number}. "
                self._lists[-1] = None if number is None else number + 1
            case "table":
                self._tables.append(_Table(cells=[] if _holds_data(element) else None))
            case "td" | "th" if self._tables and self._tables[-1].cells is not None:
                self._tables[-1].in_cell = True
                self._tables[-1].is_head &= name == "th"
            case _ if name in _HEADINGS:
                self._heading = _HEADINGS[name]

    def _close(self, name: str) -> None:
        if name in _BLOCKS or name in _HEADINGS:
            self._flush()
        table = self._tables[-1] if self._tables else None
        match name:
            case "pre":
                self._pre -= 1
            case "ul" | "ol" | "menu":
                self._lists.pop()
            case "li":
                self._marker = ""
            case "table":
                self._tables.pop()
            case "td" | "th" if table and table.cells is not None:
                table.cells.append(" ".join(table.pieces))
                table.pieces, table.in_cell = [], False
            case "tr" if table and table.cells is not None:
                self._row(table)
            case _ if name in _HEADINGS:
                self._heading = 0

    def _row(self, table: _Table) -> None:
        row = " | ".join(table.cells or ()).strip(" |")
        kind = BlockKind.HEAD if table.is_head else BlockKind.ROW
        table.cells, table.is_head = [], True
        if row:
            self._sink.block(row, kind)

    def _add(self, text: str | None) -> None:
        if text:
            self._pieces.append(text)

    def _flush(self) -> None:
        text, self._pieces = "".join(self._pieces), []
        lines = text.strip("\n").replace(_BREAK, "\n").rstrip() if self._pre else _folded(text)
        if not lines.strip():
            return
        if self._tables and self._tables[-1].in_cell:
            self._tables[-1].pieces.append(" ".join(lines.split()))
        elif self._heading:
            self._sink.heading(" ".join(lines.split()), self._heading)
        elif self._pre:
            self._sink.block(lines, BlockKind.LINES)
        elif self._lists:
            indent = "  " * min(len(self._lists) - 1, _DEEPEST)
            self._sink.block(indent + (self._marker or "  ") + lines, BlockKind.ITEM)
            self._marker = ""
        else:
            self._sink.block(lines, BlockKind.PROSE)


def _unseen(element: Element, name: str) -> bool:
    """Whether a reader does not see it: hidden, or the number of a printed page within the text."""
    if name == "math":
        return bool(attribute(element, "alttext"))
    if _PAGE_MARK.search(
        " ".join((attribute(element, "type"), attribute(element, "role"), attribute(element, "class")))
    ):
        return True
    hidden = element.get("hidden") is not None or _HIDDEN.search(element.get("style") or "") is not None
    # Wikipedia hides a formula's words and shows its picture.
    return hidden and next(element.iter("{*}math"), None) is None


def _holds_data(table: Element) -> bool:
    """Whether a table is one: a cell that holds more than a paragraph is part of a layout."""
    for cell in table.iter("{*}td", "{*}th"):
        blocks = [local_name(child) for child in cell.iterdescendants() if local_name(child) in _NOT_IN_DATA]
        if len(blocks) > 1 or set(blocks) - {"p", "div"}:
            return False
    return True


def _folded(text: str) -> str:
    """Runs of blanks as one, line breaks where the markup sets them."""
    folded = _SPACES.sub(" ", _WIDE_LINE_END.sub("", text))
    return "\n".join(line for line in (line.strip() for line in folded.split(_BREAK)) if line)
