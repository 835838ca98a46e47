"""A Word document's body to blocks: paragraphs, lists, tables, text boxes and notes in reading order."""

from collections.abc import Iterator, Mapping

from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.docx_paragraph import Words, words_of
from corpus.ingestion.readers.docx_styles import Numbering, Style, W, outline_level, value
from corpus.ingestion.readers.trees import Element
from corpus.ingestion.sections import BlockKind, Outline

_TRANSPARENT = frozenset(
    f"{W}{name}" for name in ("body", "document", "sdt", "sdtContent", "customXml", "smartTag", "ins")
)
_CHAPTER_LEVEL = 1
_LONGEST_HEADING = 300
"""Whole paragraphs in a heading's style are text that somebody wanted large."""


class Body:
    """Hands a document's blocks to an outline."""

    def __init__(
        self,
        outline: Outline,
        *,
        styles: Mapping[str, Style],
        numbering: Numbering,
        notes: Mapping[str, Mapping[str, Element]],
    ) -> None:
        self.title = ""
        self._outline = outline
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._pictures = 0
        self._has_deletions = False

    def read(self, root: Element) -> None:
        """All that stands in the document's body."""
        for element in _parts(root):
            if element.tag == f"{W}tbl":
                self._table(element)
            else:
                self._paragraph(element)

    def warnings(self) -> list[str]:
        """What an editor should know."""
        found = []
        if self._has_deletions:
            found.append("Text that is deleted in tracked changes was left out.")
        if self._pictures:
            found.append(f"Pictures were left out ({self._pictures}); words in them cannot be found.")
        return found

    def _paragraph(self, paragraph: Element) -> None:
        words = self._words(paragraph)
        properties = paragraph.find(f"{W}pPr")
        style = self._styles.get(value(properties, "pStyle"), Style())
        level = outline_level(properties) or style.level
        text = words.text
        if style.is_title and not self.title:
            self.title = one_line(text)
        if (level or style.is_title) and 0 < len(text) <= _LONGEST_HEADING:
            heading = one_line(text)
            locator = {"chapter": heading} if level == _CHAPTER_LEVEL else None
            self._outline.heading(heading, level, locator)
        elif text:
            self._plain(text, properties, style)
        self._besides(words)

    def _plain(self, text: str, properties: Element | None, style: Style) -> None:
        numbering = None if properties is None else properties.find(f"{W}numPr")
        list_id = value(numbering, "numId") or style.list_id
        if not list_id or list_id == "0":
            self._outline.block(text)
            return
        level = value(numbering, "ilvl") or style.list_level or "0"
        indent = "  " * min(int(level) if level.isdecimal() else 0, 8)
        self._outline.block(f"{indent}{self._numbering.marker(list_id, level)}{text}", BlockKind.ITEM)

    def _words(self, paragraph: Element) -> Words:
        words = words_of(paragraph)
        self._pictures += words.pictures
        self._has_deletions |= words.has_deletions
        return words

    def _besides(self, words: Words) -> None:
        """A paragraph's text boxes and notes, after it."""
        for box in words.boxes:
            self.read(box)
        for number, (kind, name) in enumerate(words.notes, 1):
            note = self._notes[kind].get(name)
            if note is not None:
                text = " ".join(self._words(paragraph).text for paragraph in note.iter(f"{W}p"))
                self._outline.block(f"[{number}] {one_line(text)}")

    def _table(self, table: Element) -> None:
        for row in table.iter(f"{W}tr"):
            if _table_of(row) is table:
                cells = [cell for cell in row.iter(f"{W}tc") if _table_of(cell) is table and not _is_continued(cell)]
                self._row(cells, BlockKind.HEAD if _is_head(row) else BlockKind.ROW)

    def _row(self, cells: list[Element], kind: BlockKind) -> None:
        """A row of several cells as a line; a lone cell is a frame around text."""
        if len(cells) == 1:
            self.read(cells[0])
            return
        texts, later = [], []
        for cell in cells:
            said = []
            for part in _parts(cell):
                if part.tag == f"{W}tbl":
                    later.append(part)
                else:
                    words = self._words(part)
                    said.append(one_line(words.text))
                    later += [part] if words.boxes or words.notes else []
            texts.append(" ".join(text for text in said if text))
        self._outline.block(" | ".join(texts).strip(" |"), kind)
        for part in later:
            if part.tag == f"{W}tbl":
                self._table(part)
            else:
                self._besides(words_of(part))


def _parts(root: Element) -> Iterator[Element]:
    """The paragraphs and tables right within an element, through what only wraps them."""
    waiting = list(reversed(root))
    while waiting:
        element = waiting.pop()
        if element.tag in (f"{W}p", f"{W}tbl"):
            yield element
        elif element.tag in _TRANSPARENT:
            waiting += reversed(element)


def _table_of(element: Element) -> Element | None:
    return next(element.iterancestors(f"{W}tbl"), None)


def _is_head(row: Element) -> bool:
    """Whether Word repeats it at the top of every page."""
    mark = row.find(f"{W}trPr/{W}tblHeader")
    return mark is not None and mark.get(f"{W}val") not in ("0", "false", "off")


def _is_continued(cell: Element) -> bool:
    """Whether it only carries on the merged cell above it."""
    mark = cell.find(f"{W}tcPr/{W}vMerge")
    return mark is not None and mark.get(f"{W}val") != "restart"
