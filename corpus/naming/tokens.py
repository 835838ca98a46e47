"""A text as words and what stands between them (pure).

Scripts that are written without blanks (Han, hiragana, Thai and its neighbours) give a word for every character, so
that a name is found anywhere in a sentence; in all others a word is a run of letters and digits.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.naming.folding import folded

_UNSPACED = (
    "\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u309f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# `\w` does not hold the marks that many scripts write their vowels with.
_MARKS = "".join(chr(code) for code in range(0x300, 0x12000) if unicodedata.category(chr(code))[0] == "M")
# The first arm is the second one for ordinary words, several times as fast.
_LATIN = f"[0-9A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+(?![\\w{_MARKS}])"
_TOKEN = re.compile(f"{_LATIN}|[{_UNSPACED}][{_MARKS}]*|(?:(?![{_UNSPACED}])\\w[{_MARKS}]*)+")
_UNSPACED_WORD = re.compile(f"[{_UNSPACED}]")
# What may stand between two words of a name, or not, and it is the same name.
_LOOSE = re.compile(r"[\s'\-]+")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_STICKS = re.compile(r"[+#]+(?!\w)")


@dataclass(frozen=True, slots=True)
class Token:
    """One word: where it stands in the text, its folded form, and what stands between it and the word before."""

    start: int
    end: int
    word: str
    gap: str
    """Empty when only blanks, hyphens and quotation marks stand there."""
    unspaced: bool = False
    capital: bool = False


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order."""
    return list(_tokens(text))


def gap_of(between: str) -> str:
    """What of the text between two words tells names apart; the end of a paragraph does."""
    if not between or between == " ":
        return ""
    return _LOOSE.sub("", folded(between)) or ("\n" if _PARAGRAPH.search(between) else "")


def sticks_to(text: str, end: int) -> bool:
    """Whether the word that ends here goes on as in "C++" or "C#"."""
    return bool(_STICKS.match(text, end))


def _tokens(text: str) -> Iterator[Token]:
    reached = 0
    for found in _TOKEN.finditer(text):
        word = found[0]
        yield Token(
            start=found.start(),
            end=found.end(),
            word=folded(word),
            gap=gap_of(text[reached : found.start()]),
            unspaced=bool(_UNSPACED_WORD.match(word)),
            capital=word[0].isupper(),
        )
        reached = found.end()
