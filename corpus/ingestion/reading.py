"""From a file's name and bytes to its sections: the formats that can be read, and what every reading owes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import clean, one_line
from corpus.ingestion.readers.markdown import read_markdown
from corpus.ingestion.readers.plain_text import read_plain_text
from corpus.ingestion.sections import Block, Reading, Section

Reader = Callable[[bytes], Reading]

READERS: dict[str, Reader] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain_text,
    ".text": read_plain_text,
}
"""By suffix. A new format is a reader of its own file and a line here."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
FORMATS = "Markdown (.md, .markdown) and plain text (.txt, .text)"


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
    reading = replace(
        reading,
        title=one_line(reading.title),
        sections=tuple(_clean_section(section) for section in reading.sections),
    )
    if reading.is_empty:
        raise UnreadableFile("There is no text in the file.")
    return reading


def _clean_section(section: Section) -> Section:
    return replace(
        section,
        heading_path=tuple(one_line(heading) for heading in section.heading_path),
        blocks=tuple(Block(clean(block.text).text, block.kind) for block in section.blocks),
    )


@dataclass(frozen=True, slots=True)
class About:
    """What a file says about itself."""

    title: str
    """Its title, else its name without the suffix."""
    language: str = ""
    """A language tag, where it gives one."""


def about_file(name: str, data: bytes) -> About:
    """What a file says about itself; of one that cannot be read, its name."""
    try:
        reading = read_file(name, data)
    except UnreadableFile:
        reading = Reading(sections=())
    title = reading.title or one_line(PurePath(name).stem) or "Untitled"
    return About(title[:300].strip(), reading.language if _LANGUAGE.fullmatch(reading.language) else "")
