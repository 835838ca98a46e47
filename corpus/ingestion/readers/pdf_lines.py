"""The lines of a PDF page with their places: what paragraphs, headings and page numbers are told by."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_HYPHENS = (0x2, 0xFFFE)
"""PDFium's sign for a hyphen at which a line was broken."""
_LINE_ENDS = (0xA, 0xD)
_OVERLAP = 0.5
"""Two pieces that share this much of their height stand on one line: notes' numbers are set above it."""
_WORD_GAP = 0.15
_PIECE_GAP = 1.5
"""In sizes of the letters; pieces farther apart are columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; lengths in points, from the page's lower left corner."""

    text: str
    page: int
    """From 1."""
    left: float
    right: float
    bottom: float
    top: float
    size: float
    """Of its letters."""
    is_parted: bool = False
    """Whether it ends within a word, at a hyphen that is not in `text`."""


def lines_of(page: pdfium.PdfPage, number: int) -> list[Line]:
    """A page's lines in the order they were set, pieces of one line joined."""
    textpage = page.get_textpage()
    try:
        joined: list[Line] = []
        for line in _pieces(textpage, number):
            if joined and _is_one_line(joined[-1], line):
                joined[-1] = _joined(joined[-1], line)
            else:
                joined.append(line)
        return joined
    finally:
        textpage.close()


def _pieces(textpage: pdfium.PdfTextPage, number: int) -> Iterator[Line]:
    characters: list[str] = []
    shown: list[int] = []
    for index in range(pdfium_c.FPDFText_CountChars(textpage)):
        code = pdfium_c.FPDFText_GetUnicode(textpage, index)
        if code in _HYPHENS or code in _LINE_ENDS:
            if shown:
                yield _line(textpage, characters, shown, number, is_parted=code in _HYPHENS)
            characters, shown = [], []
            continue
        characters.append(chr(code) if code <= 0x10FFFF else "")
        if code > 0x20 or code == 0:
            shown.append(index)
    if shown:
        yield _line(textpage, characters, shown, number, is_parted=False)


def _line(
    textpage: pdfium.PdfTextPage, characters: list[str], shown: list[int], number: int, *, is_parted: bool
) -> Line:
    first, last = _box(textpage, shown[0]), _box(textpage, shown[-1])
    middle = shown[len(shown) // 2]
    # Characters beyond the first plane come as two surrogates.
    text = "".join(characters).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Line(
        text=" ".join(text.split()),
        page=number,
        left=min(first.left, last.left),
        right=max(first.right, last.right),
        bottom=min(first.bottom, last.bottom),
        top=max(first.top, last.top),
        size=_size(textpage, middle),
        is_parted=is_parted,
    )


def _box(textpage: pdfium.PdfTextPage, index: int) -> pdfium_c.FS_RECTF:
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(textpage, index, ctypes.byref(box))
    return box


def _size(textpage: pdfium.PdfTextPage, index: int) -> float:
    """The size of a letter as it is seen: that of its font, scaled as the text is."""
    matrix = pdfium_c.FS_MATRIX()
    scale = 1.0
    if pdfium_c.FPDFText_GetMatrix(textpage, index, ctypes.byref(matrix)):
        scale = math.hypot(matrix.c, matrix.d) or 1.0
    return round(float(pdfium_c.FPDFText_GetFontSize(textpage, index)) * scale, 1) or 1.0


def _is_one_line(left: Line, right: Line) -> bool:
    height = min(left.top - left.bottom, right.top - right.bottom)
    overlap = min(left.top, right.top) - max(left.bottom, right.bottom)
    gap = right.left - left.right
    size = max(left.size, right.size)
    return not left.is_parted and overlap > height * _OVERLAP and -size < gap < size * _PIECE_GAP


def _joined(left: Line, right: Line) -> Line:
    gap = " " if right.left - left.right > max(left.size, right.size) * _WORD_GAP else ""
    wider = left if len(left.text) >= len(right.text) else right
    return replace(
        wider,
        text=f"{left.text}{gap}{right.text}",
        left=min(left.left, right.left),
        right=max(left.right, right.right),
        is_parted=right.is_parted,
    )
