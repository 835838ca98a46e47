"""PDF files with a text layer: paragraphs with their page, headings by size and by the file's own bookmarks."""

import ctypes
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.pdf_lines import Line, lines_of
from corpus.ingestion.readers.pdf_margins import without_margins
from corpus.ingestion.readers.pdf_paragraphs import ITEM, Joiner, Paragraph
from corpus.ingestion.sections import BlockKind, Outline, Reading, Section

MAX_PAGES = 5_000
_LARGER = 1.12
"""A heading's letters are this much larger than the text's."""
_HEADING_LINES = 4
_HEADING_CHARACTERS = 250
_LEVELS = 4
"""Of headings told by size: smaller ones count as the last of them."""
_BELOW_BOOKMARKS = 10
_SIGNS = re.compile(r"[\W_]+")
_NO_TITLE = re.compile(r"\.\w{2,4}$|^(?:untitled|microsoft \w+ - .*|slide \d+|document\d*)$", re.IGNORECASE)
"""Titles that programs put in by themselves."""
_LISTED_PAGES = 10


def read_pdf(data: bytes) -> Reading:
    """The sections of a PDF. Raises UnreadableFile."""
    document = _opened(data)
    try:
        if len(document) > MAX_PAGES:
            raise UnreadableFile(f"The PDF has {len(document)} pages; up to {MAX_PAGES} can be read. Please split it.")
        pages, broken = _pages(document)
        if not any(pages):
            raise UnreadableFile(_without_text(broken))
        lines = [line for page in without_margins(pages) for line in page]
        paragraphs = Joiner(lines).paragraphs(lines)
        headings = _Headings(lines, paragraphs, _bookmarks(document))
        about = document.get_metadata_dict()
        given = one_line(about.get("Title", ""))
        return Reading(
            sections=_outlined(paragraphs, headings),
            title=given if given and not _NO_TITLE.search(given) else headings.title(),
            language=_language(document),
            creator=one_line(about.get("Author", "")),
            warnings=_warnings(pages, broken),
        )
    finally:
        document.close()


def _opened(data: bytes) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(data)
        len(document)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
            raise UnreadableFile("The PDF needs a password: please save it without one.") from error
        raise UnreadableFile("The PDF is broken: it cannot be opened. Please export it anew.") from error
    return document


def _pages(document: pdfium.PdfDocument) -> tuple[list[list[Line]], list[int]]:
    """The lines of every page, and the numbers of pages that could not be read."""
    pages: list[list[Line]] = []
    broken: list[int] = []
    for index in range(len(document)):
        try:
            page = document[index]
            try:
                pages.append([line for line in lines_of(page, index + 1) if line.text])
            finally:
                page.close()
        except pdfium.PdfiumError:
            pages.append([])
            broken.append(index + 1)
    return pages, broken


def _without_text(broken: Sequence[int]) -> str:
    if broken:
        return "The PDF is broken: none of its pages can be read. Please export it anew."
    return "This PDF has no text layer: run OCR first."


def _warnings(pages: Sequence[Sequence[Line]], broken: Sequence[int]) -> tuple[str, ...]:
    empty = [at for at, lines in enumerate(pages, 1) if not lines and at not in broken]
    found = []
    if empty:
        found.append(f"{_named(empty)} without text; if text is to be seen there, it is a picture: run OCR first.")
    if broken:
        found.append(f"{_named(broken)} broken and left out.")
    return tuple(found)


def _named(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"Page {pages[0]} is"
    listed = ", ".join(map(str, pages[:_LISTED_PAGES]))
    more = f" and {len(pages) - _LISTED_PAGES} more" if len(pages) > _LISTED_PAGES else ""
    return f"Pages {listed}{more} are"


def _language(document: pdfium.PdfDocument) -> str:
    """What the file's catalog says."""
    length = pdfium_c.FPDFCatalog_GetLanguage(document, None, 0)
    if length <= 2:
        return ""
    buffer = (ctypes.c_ushort * (length // 2))()
    pdfium_c.FPDFCatalog_GetLanguage(document, buffer, length)
    return bytes(buffer).decode("utf-16-le", "ignore").rstrip("\x00")


def _bookmarks(document: pdfium.PdfDocument) -> dict[tuple[int, str], int]:
    """Page and letters of each bookmark with its level, 1 for the outermost."""
    found: dict[tuple[int, str], int] = {}
    try:
        for mark in document.get_toc(max_depth=6):
            destination = mark.get_dest()
            index = None if destination is None else destination.get_index()
            if index is not None and (letters := _letters(mark.get_title())):
                found.setdefault((index + 1, letters), mark.level + 1)
    except pdfium.PdfiumError:
        return {}
    return found


class _Headings:
    """Tells which paragraphs are headings, and of which level."""

    def __init__(
        self, lines: Sequence[Line], paragraphs: Sequence[Paragraph], bookmarks: Mapping[tuple[int, str], int]
    ) -> None:
        weights: Counter[float] = Counter()
        for line in lines:
            weights[line.size] += len(line.text)
        self._body = weights.most_common(1)[0][0] if weights else 1.0
        self._bookmarks = bookmarks
        large = {round(one.size) for one in paragraphs if self._is_large(one)}
        self._ranks = {size: min(at, _LEVELS) for at, size in enumerate(sorted(large, reverse=True), 1)}
        self._largest = max(paragraphs, key=lambda one: one.size * (one.page == 1), default=None)

    def level(self, paragraph: Paragraph) -> int:
        """1 for the outermost heading; 0 for text."""
        if marked := self._bookmarks.get((paragraph.page, _letters(paragraph.text))):
            return marked
        if not self._is_large(paragraph):
            return 0
        return self._ranks[round(paragraph.size)] + (_BELOW_BOOKMARKS if self._bookmarks else 0)

    def title(self) -> str:
        """The largest heading of the first page; empty when there is none."""
        largest = self._largest
        return largest.text if largest and largest.page == 1 and self._is_large(largest) else ""

    def _is_large(self, one: Paragraph) -> bool:
        return (
            one.size > self._body * _LARGER
            and one.lines <= _HEADING_LINES
            and 1 < len(one.text) <= _HEADING_CHARACTERS
            and sum(map(str.isalpha, one.text)) > len(one.text) / 2
        )


def _outlined(paragraphs: Sequence[Paragraph], headings: _Headings) -> tuple[Section, ...]:
    outline = Outline()
    for paragraph in paragraphs:
        outline.place({"page": str(paragraph.page)})
        if level := headings.level(paragraph):
            outline.heading(one_line(paragraph.text), level)
        else:
            outline.block(paragraph.text, BlockKind.ITEM if ITEM.match(paragraph.text) else BlockKind.PROSE)
    return outline.sections()


def _letters(text: str) -> str:
    return _SIGNS.sub("", text.casefold())
