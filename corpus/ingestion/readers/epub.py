"""E-books (EPUB 2 and 3): the files of the spine in order, chapters from the table of contents or from headings."""

import re
from collections.abc import Sequence

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.archive import Archive, ArchiveLimits
from corpus.ingestion.readers.decoding import decode
from corpus.ingestion.readers.epub_contents import ContentsPoint, points_of_nav, points_of_ncx
from corpus.ingestion.readers.epub_package import Package, read_package
from corpus.ingestion.readers.markup import MarkupWalk
from corpus.ingestion.readers.trees import Element, attribute, local_name, parse_html, parse_xml
from corpus.ingestion.sections import BlockKind, Outline, Reading

_BELOW_CONTENTS = 100
"""Headings in the text stand below every line of the contents, however deep that is."""
_CHAPTER_LEVELS = 2
"""In a book without contents, headings of HTML's first levels are its chapters."""
_SIGNS = re.compile(r"[\W_]+")
_NOT_THE_BOOK = re.compile(r"\bpg-boilerplate\b")
"""Project Gutenberg marks its own licence text so."""
_PLACEHOLDER = re.compile(r"\[(?:Image unavailable|Illustration)\.?\]", re.IGNORECASE)


def read_epub(data: bytes, limits: ArchiveLimits | None = None) -> Reading:
    """The sections of an e-book. Raises UnreadableFile."""
    archive = Archive(data, limits)
    package = read_package(archive)
    if not package.spine:
        raise UnreadableFile("The e-book is broken: it names no chapter. Please export it anew.")
    book = _Book(_contents(archive, package))
    missing = [path for path in package.spine if not _read_file(archive, path, book)]
    if len(missing) == len(package.spine):
        raise UnreadableFile("The e-book is broken: none of its chapters is in the file. Please export it anew.")
    return Reading(
        sections=book.outline.sections(),
        title=package.title,
        language=package.language,
        creator=package.creator,
        warnings=tuple(f"The chapter {path} is missing from the file." for path in missing) + book.warnings(),
    )


def _contents(archive: Archive, package: Package) -> tuple[ContentsPoint, ...]:
    """The contents from where they can be had; a book whose contents are broken is read by its headings."""
    for path, points_of in ((package.navigation, points_of_nav), (package.ncx, points_of_ncx)):
        data = archive.read(path) if path else None
        if data is None:
            continue
        try:
            points = points_of(parse_xml(data, "its contents"), path)
        except UnreadableFile:
            continue
        if points:
            return points
    return ()


def _read_file(archive: Archive, path: str, book: "_Book") -> bool:
    """Whether the file was there."""
    data = archive.read(path)
    if data is None:
        return False
    root = _tree(data)
    if root is not None:
        book.begin(path)
        for element in [one for one in root.iter() if _NOT_THE_BOOK.search(attribute(one, "class"))]:
            book.left_out += 1
            element.clear(keep_tail=True)
        bodies = [element for element in root.iter() if local_name(element) == "body"]
        MarkupWalk(book).read(bodies[0] if bodies else root)
    return True


def _tree(data: bytes) -> Element | None:
    """A chapter as XML, else as a browser would forgive it; None for an empty one."""
    try:
        return parse_xml(data, "a chapter")
    except UnreadableFile:
        pass
    try:
        return parse_html(decode(data).text)
    except UnreadableFile:
        return None


class _Book:
    """Takes a book's headings and blocks, and puts the lines of its contents where they point."""

    def __init__(self, contents: Sequence[ContentsPoint]) -> None:
        self.outline = Outline()
        self.left_out = 0
        self._points: dict[tuple[str, str], list[ContentsPoint]] = {}
        for point in contents:
            self._points.setdefault((point.file, point.anchor), []).append(point)
        self._has_contents = bool(contents)
        self._file = ""
        self._due: list[ContentsPoint] = []
        """Points that were passed and whose labels have not been said yet."""
        self._said = ""
        """The label said last, as long as no text has followed it."""

    def begin(self, path: str) -> None:
        """A file of the spine begins."""
        self._file = path
        self.anchor("")

    def anchor(self, name: str) -> None:
        """The contents may point here."""
        self._due += self._points.pop((self._file, name), [])

    def heading(self, text: str, level: int) -> None:
        """A heading of the text: said, unless a line of the contents has just said the same."""
        self._say_due()
        if self._said and _signless(text) in self._said:
            return
        chapter = not self._has_contents and level <= _CHAPTER_LEVELS
        self.outline.heading(text, _BELOW_CONTENTS + level, {"chapter": text} if chapter else None)

    def block(self, text: str, kind: BlockKind) -> None:
        """A block of the text."""
        text = _PLACEHOLDER.sub("", text)
        if not text.strip():
            return
        self._say_due()
        if self._said and len(text) < 200 and _signless(text) and _signless(text) in self._said:
            return  # A heading that the markup does not call one.
        self._said = ""
        self.outline.block(text, kind)

    def warnings(self) -> tuple[str, ...]:
        """What an editor should know."""
        return ("The licence text of Project Gutenberg was left out.",) if self.left_out else ()

    def _say_due(self) -> None:
        for at, point in enumerate(self._due, 1):
            if any(later.level <= point.level for later in self._due[at : at + 1]):
                continue  # Not a word stands under it: a cover, or a page that is a picture.
            self.outline.heading(point.label, point.level, {"chapter": point.label})
            self._said = _signless(point.label)
        self._due = []


def _signless(text: str) -> str:
    return _SIGNS.sub("", text.casefold())
