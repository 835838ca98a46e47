"""What a reader makes of a file: sections in reading order, each of blocks. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    """How a block's text may be taken apart when it is too long."""

    HEADING = "heading"
    PROSE = "prose"
    LINES = "lines"
    """Code or the like: cut between lines."""
    ITEM = "item"
    """A list item: stands on the line after the item before it."""
    HEAD = "head"
    """A table's head: said again above its rows where these go on in another chunk."""
    ROW = "row"
    """A table's row: stands on the line after the row before it."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a table's row, a piece of code or a heading."""

    text: str
    kind: BlockKind = BlockKind.PROSE
    locator: Mapping[str, str] = field(default_factory=dict)
    """Where it begins, where that is told for each block: page or time code."""


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks under one heading, up to the next heading of any level.

    The heading's own line is the first block, since it is part of what the document says.
    """

    heading_path: tuple[str, ...]
    blocks: tuple[Block, ...]
    locator: Mapping[str, str] = field(default_factory=dict)
    """Where it stands for people as a whole: its chapter."""
    language: str = ""
    """Only where the file says that it differs from the document's."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All a reader found in one file."""

    sections: tuple[Section, ...]
    title: str = ""
    """The title the file gives itself; empty when it gives none."""
    language: str = ""
    creator: str = ""
    """Who wrote it, by the file's own word."""
    warnings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is no letter and no digit in it."""
        return not any(character.isalnum() for section in self.sections for b in section.blocks for character in b.text)


class Outline:
    """Gathers blocks into sections while a reader meets headings of various levels."""

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []
        self._locator: Mapping[str, str] = {}
        self._place: Mapping[str, str] = {}
        self._blocks: list[Block] = []
        self._sections: list[Section] = []

    def heading(self, text: str, level: int, locator: Mapping[str, str] | None = None) -> None:
        """Begin a section under a heading; level 1 is the outermost. A blank heading is passed over."""
        if not text:
            return
        self._close()
        self._path = [(at, heading) for at, heading in self._path if at < level] + [(level, text)]
        if locator is not None:
            self._locator = locator
        self._blocks.append(Block(text, BlockKind.HEADING, self._place))

    def place(self, locator: Mapping[str, str]) -> None:
        """The blocks that follow begin at this page or time, under whatever heading."""
        self._place = locator

    def block(self, text: str, kind: BlockKind = BlockKind.PROSE) -> None:
        """Add a block to the section; a blank one is passed over."""
        if text.strip():
            self._blocks.append(Block(text, kind, self._place))

    def sections(self) -> tuple[Section, ...]:
        """Everything gathered so far."""
        self._close()
        return tuple(self._sections)

    def _close(self) -> None:
        if self._blocks:
            path = tuple(heading for _, heading in self._path)
            self._sections.append(Section(path, tuple(self._blocks), self._locator))
        self._blocks = []
