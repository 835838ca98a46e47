"""Lines of a PDF to paragraphs: by gaps, indents, sizes and full lines; words parted at a line end are whole again."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.ingestion.readers.pdf_lines import Line

_WIDE_GAP = 1.3
"""Of the usual distance of lines: more of it parts paragraphs."""
_INDENT = 0.8
"""In sizes of the letters."""
_SHORT_LINE = 0.85
"""A line that ends before this share of its column, at a sentence's end, ends a paragraph."""
_OTHER_SIZE = 0.08
_FLUSH = 0.3
"""Of a column's lines, when it is set flush left."""
_SENTENCE_END = re.compile(r"[.!?:…。！？][\"'”’»)\]]*$")
ITEM = re.compile(r"(?:[•▪◦‣·●○*–-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\])\s+\S")
_LAST_WORD = re.compile(r"[\w-]+$")
_FIRST_WORD = re.compile(r"\w[\w-]*")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together, as one text."""

    text: str
    page: int
    """Where it begins, from 1."""
    size: float
    lines: int


class Joiner:
    """Joins lines, knowing all words of the document."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._hyphenated = {word for line in lines for word in re.findall(r"\w+(?:-\w+)+", line.text.casefold())}
        self._pitch = _usual_pitch(lines)

    def paragraphs(self, lines: Sequence[Line]) -> list[Paragraph]:
        """The paragraphs of a document's lines; one may go over the end of a column or page."""
        groups: list[list[Line]] = []
        columns = _columns(lines)
        for at, line in enumerate(lines):
            if groups and not self._parts(groups[-1], line, columns[at - 1]):
                groups[-1].append(line)
            else:
                groups.append([line])
        return [self._paragraph(group) for group in groups]

    def _parts(self, group: Sequence[Line], line: Line, column: "_Column") -> bool:
        """Whether a new paragraph begins with this line."""
        last = group[-1]
        if abs(line.size - last.size) > last.size * _OTHER_SIZE:
            return True
        if last.is_parted:
            return False
        if ITEM.match(line.text):
            return True
        if line.page != last.page or line.bottom > last.bottom:
            return _SENTENCE_END.search(last.text) is not None or not _goes_on(line.text)
        if last.bottom - line.bottom > self._pitch.get(round(last.size), last.size * 1.2) * _WIDE_GAP:
            return True
        if not column.is_flush:
            return False
        indented = line.left - last.left > line.size * _INDENT
        if indented and not (len(group) == 1 and ITEM.match(last.text)):
            return line.left - last.left < line.size * 6
        full = last.left + (column.right - last.left) * _SHORT_LINE
        return last.right < full and _SENTENCE_END.search(last.text) is not None

    def _paragraph(self, group: Sequence[Line]) -> Paragraph:
        text = group[0].text
        for before, line in pairwise(group):
            text = self._joined(text, line.text, is_parted=before.is_parted)
        return Paragraph(text, group[0].page, group[0].size, len(group))

    def _joined(self, before: str, after: str, *, is_parted: bool) -> str:
        if not is_parted and not before.endswith("-"):
            return f"{before} {after}"
        stem = before.removesuffix("-")
        last, first = _LAST_WORD.search(stem), _FIRST_WORD.match(after)
        if last is None or first is None:
            return f"{before} {after}"
        keeps = f"{last[0]}-{first[0]}".casefold() in self._hyphenated
        whole = last[0][-1].islower() and first[0][0].islower() and len(last[0]) > 1
        return f"{stem}{after}" if whole and not keeps else f"{stem}-{after}"


def _goes_on(text: str) -> bool:
    """Whether a text can be the rest of a sentence that a page's end has cut."""
    return text[:1].islower() or text[:1].isdigit() or text[:1] in "(\"'“‘" or not text[:1].isupper()


def _usual_pitch(lines: Iterable[Line]) -> dict[int, float]:
    """For each size of letters the distance of two lines that is met most."""
    found: dict[int, Counter[float]] = {}
    last: Line | None = None
    for line in lines:
        if last and last.page == line.page and 0 < (pitch := last.bottom - line.bottom) < line.size * 3:
            found.setdefault(round(line.size), Counter())[round(pitch * 2) / 2] += 1
        last = line
    return {size: pitches.most_common(1)[0][0] for size, pitches in found.items()}


@dataclass(frozen=True, slots=True)
class _Column:
    """Lines set after each other from top to bottom of a page."""

    right: float
    """Where the longest ends."""
    is_flush: bool
    """Whether its lines begin below each other; of centred text and the like, indents say nothing."""


def _columns(lines: Sequence[Line]) -> list[_Column]:
    """For each line its column."""
    columns: list[_Column] = []
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or lines[at].page != lines[start].page or lines[at].bottom > lines[at - 1].bottom + 1:
            column = lines[start:at]
            lefts = Counter(round(line.left / 2) for line in column)
            flush = lefts.most_common(1)[0][1] >= len(column) * _FLUSH
            columns += [_Column(max(line.right for line in column), flush)] * len(column)
            start = at
    return columns
