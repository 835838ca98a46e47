"""That an answer does not recite the instructions it was written by (pure).

A text that was put into a model's context may talk it into repeating them. Eight words in a row of the prompt are no
chance; from the fourth on they are held back until the next word tells. Case and punctuation do not count.
"""

import re
from functools import lru_cache

RECITED = 8
_COMMON = 3
"""So many words in a row say nothing yet."""
_PIECE = re.compile(r"\w+|\W+")

Words = tuple[str, ...]


class PromptGuard:
    """Passes on a text as it streams, as long as it does not recite the prompt."""

    def __init__(self, prompt: str) -> None:
        self._runs = _runs_of(prompt)
        self._latest: Words = ()
        self._word = ""
        self._run = 0
        self._held = ""

    def feed(self, text: str) -> tuple[str, bool]:
        """What may go out now that this came in, and whether the prompt was recited: then nothing more may."""
        out = ""
        for piece in _PIECE.findall(text):
            if piece[0].isalnum() or piece[0] == "_":
                self._word += piece
                if self._run >= _COMMON:
                    self._held += piece
                else:
                    out += piece
                continue
            out += self._finish_word()
            if self._run >= RECITED:
                return out, True
            if self._held:
                self._held += piece
            else:
                out += piece
        return out, False

    def close(self) -> tuple[str, bool]:
        """What is left to go out at the end."""
        out = self._finish_word()
        if self._run >= RECITED:
            return out, True
        out, self._held = out + self._held, ""
        return out, False

    def _finish_word(self) -> str:
        """Count the word that has just ended; what was held back, when it was no recital."""
        if not self._word:
            return ""
        self._latest = (*self._latest, self._word.casefold())[-RECITED:]
        self._word = ""
        sizes = range(min(RECITED, len(self._latest)), _COMMON - 1, -1)
        self._run = next((size for size in sizes if self._latest[-size:] in self._runs), 0)
        if self._run > _COMMON:
            return ""
        out, self._held = self._held, ""
        return out


def recites(text: str, prompt: str) -> bool:
    """Whether the text has eight words in a row of the prompt."""
    guard = PromptGuard(prompt)
    return guard.feed(text)[1] or guard.close()[1]


@lru_cache(maxsize=16)
def _runs_of(prompt: str) -> frozenset[Words]:
    """Every three to eight words that stand in the prompt in a row."""
    words = tuple(word.casefold() for word in re.findall(r"\w+", prompt))
    sizes = range(_COMMON, RECITED + 1)
    return frozenset(words[at : at + size] for size in sizes for at in range(len(words) - size + 1))
