"""What may stand in quotation marks: only words that a source of the turn really says (pure).

A quotation of five words or more must stand in a source, and in a primary one where the sentence names the author.
Capitals, kinds of quotes and dashes, and white space do not count.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from math import sqrt

from corpus.taxonomy import Authority
from pipeline.sentences import ends_sentence, last_sentence, sentences_of
from pipeline.turn import Source

MIN_WORDS = 5
_MIN_WORDS_BESIDE_A_GAP = 3
_SENTENCE_LIMIT = 400

_QUOTES = dict.fromkeys(map(ord, "\"'`´‘’‚‛“”„‟«»‹›"), "'")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\.{3}|…)\s*")
_AUTHOR = re.compile(r"\b(?:jay\s+)?samit\b|\bthe author\b", re.IGNORECASE)


def is_long_enough_to_check(quote: str) -> bool:
    """Whether it has the five words from which a quotation must be proved."""
    return len(_WORD.findall(quote)) >= MIN_WORDS


def names_author(sentence: str) -> bool:
    """Whether the sentence gives its words to the author."""
    return bool(_AUTHOR.search(sentence))


def stands_in(quote: str, text: str) -> bool:
    """Whether the text says these words, one after the other; a gap marked with dots may leave words out."""
    haystack = _normalised(text)
    parts = [part for part in _GAP.split(quote) if _WORD.search(part)]
    if len(parts) > 1 and any(len(_WORD.findall(part)) < _MIN_WORDS_BESIDE_A_GAP for part in parts):
        return False
    at = 0
    for part in parts:
        needle = re.escape(_normalised(part).strip(" .,;:!?'-"))
        found = re.compile(rf"(?<!\w){needle}(?!\w)").search(haystack, at)
        if found is None:
            return False
        at = found.end()
    return bool(parts)


def proved_by(quote: str, sources: Iterable[Source]) -> Authority | None:
    """The highest authority of the sources that say these words; None when no source says them."""
    authorities = {source.authority for source in sources if stands_in(quote, source.text)}
    return next((authority for authority in Authority if authority in authorities), None)


def keeps_marks(quote: str, said: str, after: str, sources: Collection[Source], *, final: bool) -> bool | None:
    """Whether words may keep their quotation marks: `said` is the answer up to their end, `after` what follows.

    None when that depends on how the sentence goes on, and it is not known yet.
    """
    if not is_long_enough_to_check(quote):
        return True
    authority = proved_by(quote, sources)
    if authority is None or authority is Authority.PRIMARY:
        return authority is not None
    start, _ = last_sentence(said)
    rest = re.split(r"(?<=[.!?])\s|\n", after, maxsplit=1)[0]
    if names_author(f"{said[start:]} {rest}"):
        return False
    return True if final or ends_sentence(after) or len(after) > _SENTENCE_LIMIT else None


def best_sentence(claim: str, text: str) -> str:
    """The sentence of the text that shares most with the claim; of equal ones the first; "" for an empty text."""
    wanted = _words(claim)

    def shared(sentence: str) -> float:
        words = _words(sentence)
        return len(words & wanted) / sqrt(1 + len(words))

    return max(sentences_of(text), key=shared, default="")


def checked_quote(quote: str, source: Source) -> bool:
    """Whether a citation's quoted words are the source's."""
    return bool(quote.strip()) and stands_in(quote, source.text)


def by_number(sources: Sequence[Source]) -> dict[int, Source]:
    """The sources of a turn by the number they are cited with."""
    return {source.number: source for source in sources}


def _normalised(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).replace("\u00ad", "").translate(_QUOTES).translate(_DASHES).casefold()
    return re.sub(r"\s*-\s*", "-", " ".join(plain.split()))


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}
