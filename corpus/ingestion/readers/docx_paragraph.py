"""One paragraph of a Word document: the words a reader sees in it, its notes and its text boxes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from corpus.ingestion.readers.docx_styles import W
from corpus.ingestion.readers.trees import Element

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# Deleted or moved away while changes were tracked; comments' marks; and instructions of fields, whose result follows.
_DELETED = (f"{W}del", f"{W}moveFrom")
_UNSAID = (*_DELETED, f"{W}instrText", f"{W}delText", f"{W}pPr", f"{W}rPr", f"{W}sdtPr", f"{W}tblPr", f"{W}sectPr")
_FALLBACK = f"{_MC}Fallback"
"""A second copy of what the drawing before it holds, for older programs."""
_SPOKEN = {
    f"{W}tab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}softHyphen": "",
    f"{W}ptab": "\t",
}
NOTES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}


@dataclass
class Words:
    """What a paragraph says."""

    pieces: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind and id of the notes it refers to, in order."""
    boxes: list[Element] = field(default_factory=list)
    """The contents of its text boxes."""
    has_deletions: bool = False
    pictures: int = 0

    @property
    def text(self) -> str:
        """On lines as they were broken by hand; tabs are blanks."""
        lines = ("".join(self.pieces)).split("\n")
        return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def words_of(paragraph: Element) -> Words:
    """A paragraph's words, without what was deleted from it and without what Word keeps to itself."""
    words = Words()
    for element in _said(paragraph, words):
        tag = element.tag
        if tag in (f"{W}t", f"{_M}t"):
            words.pieces.append(element.text or "")
        elif tag in NOTES:
            words.notes.append((NOTES[str(tag)], str(element.get(f"{W}id"))))
            words.pieces.append(f"[{len(words.notes)}]")
        elif tag == f"{W}sym":
            words.pieces.append(_symbol(element))
        elif tag in _SPOKEN and not _of_tab_stops(element):
            words.pieces.append(_SPOKEN[str(tag)])
    return words


def _said(paragraph: Element, words: Words) -> Iterator[Element]:
    """The elements within a paragraph, in order, that a reader sees."""
    waiting = list(reversed(paragraph))
    while waiting:
        element = waiting.pop()
        if element.tag == f"{W}txbxContent":
            words.boxes.append(element)
            continue
        if element.tag in _UNSAID or element.tag == _FALLBACK or _vanishes(element):
            words.has_deletions |= element.tag in _DELETED
            continue
        words.pictures += element.tag == f"{W}drawing" and next(element.iter(f"{W}txbxContent"), None) is None
        yield element
        waiting += reversed(element)


def _vanishes(element: Element) -> bool:
    """Whether it is a run of hidden text."""
    if element.tag != f"{W}r":
        return False
    mark = element.find(f"{W}rPr/{W}vanish")
    return mark is not None and mark.get(f"{W}val") not in ("0", "false", "off")


def _of_tab_stops(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag == f"{W}tabs"


def _symbol(element: Element) -> str:
    """A character of a symbol font; those of private code points mean nothing without it."""
    code = str(element.get(f"{W}char") or "")
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= point <= 0xF8FF or point > 0x10FFFF or 0xD800 <= point <= 0xDFFF else chr(point)
