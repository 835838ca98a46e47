"""Plain text: paragraphs between blank lines, hard wraps undone, chapter headings recognised by their words."""

import re

from corpus.ingestion.readers.decoding import decode
from corpus.ingestion.sections import Outline, Reading

_NUMBER = (
    r"(?:\d{1,3}|[IVXLC]{1,8}|[ivxlc]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[- ]\w+)?|thirty(?:[- ]\w+)?|first|last)"
)
_WORDS = {
    1: r"part|book|volume|teil|partie|parte|livre|buch",
    2: r"chapter|letter|act|lesson|kapitel|chapitre|cap[íi]tulo|capitolo|hoofdstuk",
    3: r"section|scene|abschnitt",
}
_NUMBERED = {
    level: re.compile(rf"(?:{words})\s+{_NUMBER}\b\s*(?:$|[.:–—-]+\s*\S?.*$|[A-Z\"“].*$)", re.IGNORECASE)
    for level, words in _WORDS.items()
}
_UNNUMBERED = re.compile(
    r"(?:prologue|epilogue|preface|foreword|introduction|conclusion|afterword|appendix(?:\s+\w{1,4})?)\.?$",
    re.IGNORECASE,
)
_HEADING_LINES = 2
_HEADING_CHARACTERS = 80
_LIST_LINE = re.compile(r"(?:[-*•–]|\d{1,3}[.)])\s")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_WIDEST_WRAP = 120
"""Lines beyond it were not broken by hand: each is a paragraph."""
_FULL_LINE = 0.75
"""A line this full against the file's width was broken because it was full."""
_HYPHENATED = re.compile(r"(\w*[a-zà-ÿ])-\n([a-zà-ÿ]\w*)")


def read_plain_text(data: bytes) -> Reading:
    """The sections of a plain text file. Raises UnreadableFile."""
    decoded = decode(data)
    text = "\n".join(line.rstrip() for line in decoded.text.split("\n"))
    width = _width(text)
    outline = Outline()
    for paragraph in _BLANK_LINES.split(text):
        lines = [line for line in paragraph.split("\n") if line.strip()]
        if (level := _heading_level(lines)) is not None:
            heading = " ".join(" ".join(lines).split())
            outline.heading(heading, level, {"chapter": heading} if level < 3 else None)
        elif width > _WIDEST_WRAP:
            for line in lines:
                outline.block(line.strip())
        else:
            outline.block(_unwrapped(lines, width, text))
    return Reading(sections=outline.sections(), warnings=decoded.warnings)


def _heading_level(lines: list[str]) -> int | None:
    if not 0 < len(lines) <= _HEADING_LINES or any(len(line) > _HEADING_CHARACTERS for line in lines):
        return None
    first = lines[0].strip()
    for level, pattern in _NUMBERED.items():
        if pattern.match(first):
            return level
    return 2 if len(lines) == 1 and _UNNUMBERED.match(first) else None


def _width(text: str) -> int:
    """The length that nine of ten lines stay within: where the text was wrapped."""
    lengths = sorted(len(line) for line in text.split("\n") if line.strip())
    return lengths[int(len(lengths) * 0.9)] if lengths else 0


def _unwrapped(lines: list[str], width: int, text: str) -> str:
    """A paragraph's lines joined where the line was full; verse, addresses and lists keep their lines."""
    joined = ""
    previous = ""
    for line in lines:
        if not joined:
            joined = line.strip()
        elif (
            len(previous) >= width * _FULL_LINE
            and not _LIST_LINE.match(line.lstrip())
            and not _indented(line, previous)
        ):
            joined = _joined(joined, line.strip(), text)
        else:
            joined += "\n" + line.strip()
        previous = line
    return joined


def _indented(line: str, previous: str) -> bool:
    return line[0] in " \t" and previous[0] not in " \t"


def _joined(before: str, after: str, text: str) -> str:
    """Two lines as one. A word parted by a hyphen is whole again unless the text writes it with one elsewhere."""
    if before.endswith("-") and (match := _HYPHENATED.search(f"{before}\n{after}")):
        with_hyphen = f"{match[1]}-{match[2]}"
        return (before if with_hyphen in text else before[:-1]) + after
    return f"{before} {after}"
