"""Words that are too long to be read as words."""

import re
import unicodedata

MAX_WORD_CHARACTERS = 100
"""The local model's tokenizer turns a longer word into the one token [UNK] (its tokenizer.json)."""
_MOST_MARKS = 3
"""One Korean syllable comes apart into at most three letters when it is counted."""

# Each is a word of its own to the tokenizer.
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")


def cut_long_words(text: str) -> str:
    """The text with a blank in every word over 100 characters; other texts come back as they are."""
    if all(len(word) * _MOST_MARKS <= MAX_WORD_CHARACTERS for word in text.split()):
        return text
    pieces: list[str] = []
    run = 0
    for character in text:
        # Counted as the tokenizer does, after letters are taken apart from their marks.
        size = len(unicodedata.normalize("NFD", character))
        run = 0 if _ends_word(character) else run + size
        if run > MAX_WORD_CHARACTERS:
            pieces.append(" ")
            run = size
        pieces.append(character)
    return "".join(pieces)


def _ends_word(character: str) -> bool:
    """Whether the tokenizer ends a word here: at blanks and punctuation."""
    if character.isspace():
        return True
    if character.isascii():
        return not character.isalnum()
    return unicodedata.category(character).startswith("P") or _IDEOGRAPH.match(character) is not None
