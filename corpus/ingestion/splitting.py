"""Taking a text apart into pieces that fit, at the best places there are: sentences or lines, words, and last anywhere.

Pieces carry what stood between them and the piece before, so that joined they are the text again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_AFTER_SENTENCE = re.compile(r"[.!?…]+[\"'”’»)\]]*(?P<gap>\s+)|[。！？．]+[」』”’）]*(?P<none>\s*)|(?P<lines>\s*\n\s*)")
_AFTER_LINE = re.compile(r"(?P<gap>\n)")
_AFTER_WORD = re.compile(r"(?P<gap>\s+)")
_LAST_RESORT = 30
"""Characters a piece of a text that has no gaps at all."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and the blanks between it and the piece before."""

    text: str
    gap: str = ""


def split_prose(text: str, fits: Callable[[str], bool]) -> list[Piece]:
    """Sentences; those that do not fit as words; those that do not fit either as cuts of 30 characters."""
    return list(_split(text, fits, (_AFTER_SENTENCE, _AFTER_WORD)))


def split_lines(text: str, fits: Callable[[str], bool]) -> list[Piece]:
    """The same with lines in place of sentences."""
    return list(_split(text, fits, (_AFTER_LINE, _AFTER_WORD)))


def _split(text: str, fits: Callable[[str], bool], levels: Sequence[re.Pattern[str]]) -> Iterator[Piece]:
    if not levels:
        yield from (Piece(text[start : start + _LAST_RESORT]) for start in range(0, len(text), _LAST_RESORT))
        return
    for piece in _pieces(text, levels[0]):
        if fits(piece.text):
            yield piece
            continue
        smaller = list(_split(piece.text, fits, levels[1:]))
        yield Piece(smaller[0].text, piece.gap)
        yield from smaller[1:]


def _pieces(text: str, end: re.Pattern[str]) -> Iterator[Piece]:
    start, gap = 0, ""
    for match in end.finditer(text):
        stop = match.start(match.lastgroup) if match.lastgroup else match.end()
        if text[start:stop].strip():
            yield Piece(text[start:stop], gap)
            start, gap = match.end(), text[stop : match.end()]
    if text[start:].strip():
        yield Piece(text[start:], gap)
