"""How a conversation gets its title: from its first question, never from a model. Pure."""

import unicodedata

import regex

TITLE_CHARACTERS = 60

_GRAPHEME = regex.compile(r"\X")
# Marks that turn the direction of what stands around them: one title would turn a whole list about.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def title_from(question: str) -> str:
    """One line of at most 60 characters, whitespace folded, never cut inside what is seen as one character."""
    line = one_line(question)
    if len(line) <= TITLE_CHARACTERS:
        return line
    end = 0
    for grapheme in _GRAPHEME.finditer(line):
        if grapheme.end() > TITLE_CHARACTERS:
            break
        end = grapheme.end()
    # A single "character" longer than the whole title is no emoji but a heap of marks: it is cut hard.
    return line[: end or TITLE_CHARACTERS].rstrip()


def one_line(text: str) -> str:
    """The text with whitespace folded, without control characters and marks that turn the direction of writing."""
    return " ".join("".join(char for char in text if _fits_a_line(char)).split())


def _fits_a_line(char: str) -> bool:
    return char.isspace() or (unicodedata.category(char) not in ("Cc", "Cs") and char not in _TURNING)
