"""Folding a text so that case, accents and kinds of dashes and quotation marks no longer tell two words apart (pure).

Only marks that a reader leaves out are folded: accents of Latin, Greek and Cyrillic letters, the points of Hebrew and
Arabic. Marks that make another letter of a letter, such as the vowel signs of Devanagari or the voicing marks of
kana, stay.
"""

import re
import unicodedata
from functools import lru_cache

_LEFT_OUT = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u200c-\u200f\u00ad\ufeff]"
)
# Letters with a stroke or joined letters have no decomposition of their own.
_ALIKE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŋ": "n"}
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("‘’‚‛′`´“”„‟″«»‹›", "'")
    | {'"': "'", "ى": "ي", "ک": "ك", "ی": "ي"}
)
_PLAIN = re.compile(r"[a-z0-9]+")


@lru_cache(maxsize=65_536)
def folded(text: str) -> str:
    """A word or a short text without case, accents and points, dashes and quotation marks each of one kind."""
    if _PLAIN.fullmatch(text):
        return text
    apart = _LEFT_OUT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", apart.casefold()).translate(_ALIKE)
