"""From a file's name and bytes to its sections: the formats that can be read, and what every reading owes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import clean, one_line
from corpus.ingestion.readers.captions import read_srt, read_webvtt
from corpus.ingestion.readers.docx import read_docx
from corpus.ingestion.readers.epub import read_epub
from corpus.ingestion.readers.html import read_html
from corpus.ingestion.readers.markdown import read_markdown
from corpus.ingestion.readers.pdf import read_pdf
from corpus.ingestion.readers.plain_text import read_plain_text
from corpus.ingestion.sections import Reading, Section

Reader = Callable[[bytes], Reading]

READERS: dict[str, Reader] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain_text,
    ".text": read_plain_text,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": read_pdf,
    ".epub": read_epub,
    ".docx": read_docx,
    ".vtt": read_webvtt,
    ".srt": read_srt,
}
"""By suffix. A new format is a reader of its own file and a line here."""
READ_IN_PLACE = frozenset((".md", ".markdown", ".txt", ".text"))
"""Formats whose reading takes no parser of binary or marked-up files, so that it needs no process of its own."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
FORMATS = (
    "Markdown (.md, .markdown), plain text (.txt, .text), HTML (.html, .htm, .xhtml), PDF with a text layer (.pdf),"
    " e-books (.epub), Word documents (.docx) and transcripts (.vtt, .srt)"
)


def can_read(name: str) -> bool:
    """Whether a file of this name is of a format that can be read."""
    return PurePath(name).suffix.lower() in READERS


def check_format(name: str) -> None:
    """Return when a file of this name can be read. Raises UnreadableFile, saying what can be."""
    if not can_read(name):
        suffix = PurePath(name).suffix.lower()
        found = f"Files of the format {suffix} cannot be read" if suffix else "A file without a suffix cannot be read"
        raise UnreadableFile(f"{found}; what can be read is {FORMATS}.")


def read_file(name: str, data: bytes) -> Reading:
    """The file's sections, clean and not empty. Raises UnreadableFile with a sentence for the editor."""
    check_format(name)
    reading = READERS[PurePath(name).suffix.lower()](data)
    # Readers of other formats may bring in characters that text files cannot; cleaning clean text changes nothing.
    sections = tuple(_clean_section(section) for section in reading.sections)
    reading = replace(
        reading,
        title=one_line(reading.title),
        creator=one_line(reading.creator),
        sections=sections,
        warnings=reading.warnings + clean(_all_text(reading)).warnings,
    )
    if reading.is_empty:
        raise UnreadableFile("There is no text in the file.")
    return reading


def _all_text(reading: Reading) -> str:
    return "\n".join(block.text for section in reading.sections for block in section.blocks)


def _clean_section(section: Section) -> Section:
    return replace(
        section,
        heading_path=tuple(one_line(heading) for heading in section.heading_path),
        blocks=tuple(replace(block, text=clean(block.text).text) for block in section.blocks),
        locator={kind: one_line(place) for kind, place in section.locator.items()},
    )


@dataclass(frozen=True, slots=True)
class About:
    """What a file says about itself."""

    title: str
    """Its title, else its name without the suffix."""
    language: str = ""
    """A language tag, where it gives one."""
    creator: str = ""
    """Who wrote it, where it says so."""


def about_file(name: str, data: bytes) -> About:
    """What a file says about itself; of one that cannot be read, its name."""
    try:
        reading = read_file(name, data)
    except UnreadableFile:
        reading = Reading(sections=())
    return about_reading(name, reading)


def about_reading(name: str, reading: Reading) -> About:
    """What a file of this name says about itself in what was read of it."""
    title = reading.title or one_line(PurePath(name).stem) or "Untitled"
    return About(
        title=title[:300].strip(),
        language=reading.language if _LANGUAGE.fullmatch(reading.language) else "",
        creator=reading.creator[:300].strip(),
    )
