"""Phrases of a library that may be worth a concept: repeated, standing on their own, no everyday words (pure).

No grammar and no dictionary but the small words of some languages. That a phrase names a thing shows in what stands
around it: a small word or nothing before it, and after it. Everyday words show in standing in a great part of all
documents.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2

from corpus.naming.folding import folded
from corpus.naming.index import Span, name_key
from corpus.naming.languages import DETERMINERS, SMALL_WORDS
from corpus.naming.tokens import Token, tokens_of

MAX_WORDS = 3
MIN_TIMES = 2
MIN_DOCUMENTS = 2
EVERYDAY_SHARE = 0.15
"""A word of more than this share of all documents is no subject of any; counted from 10 documents on."""
FREE_SHARE = 0.5
"""How often a phrase has to stand free on each side to be a whole."""
DETERMINED_SHARE = 0.35
RECURS = 1.6
"""Times a document: a word of any subject is used once here and there, that of a subject again and again."""
_SHORTEST, _LONGEST = 40, 300
"""Characters of a sentence that is shown as what suggests something."""

_SENTENCE = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s|$)|[。！？]|\n+")
_SMALL = frozenset(folded(word) for word in SMALL_WORDS)
_JOINING = frozenset("of de des du d der della delle dei do da di van".split())  # noqa: SIM905 (a list of words)
_MASK = 2**23 - 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of prose with its place in its chunk."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """One occurrence: its words as written, and whether it stands free to the left and to the right."""

    key: str
    form: str
    words: int
    capital: bool
    free_before: bool
    free_after: bool
    determined: bool
    """Whether an article or its like stands before it."""


@dataclass(slots=True)
class Standing:
    """What is known of a phrase after the whole library was looked through."""

    words: int = 1
    times: int = 0
    free_before: int = 0
    free_after: int = 0
    determined: int = 0
    capital: int = 0
    beside_known: int = 0
    documents: set[object] = field(default_factory=set)
    forms: Counter[str] = field(default_factory=Counter)

    def take(self, phrase: Phrase, *, document: object, beside_known: bool) -> None:
        """Count one more occurrence."""
        self.words = phrase.words
        self.times += 1
        self.free_before += phrase.free_before
        self.free_after += phrase.free_after
        self.determined += phrase.determined
        self.capital += phrase.capital
        self.beside_known += beside_known
        self.documents.add(document)
        self.forms[phrase.form] += 1

    @property
    def worthy(self) -> bool:
        """Whether an editor should see it."""
        whole = min(self.free_before, self.free_after) >= FREE_SHARE * self.times
        often = self.times >= MIN_TIMES and len(self.documents) >= MIN_DOCUMENTS
        return often and whole and (self._is_term if self.words > 1 else self._is_subject)

    @property
    def _is_term(self) -> bool:
        """Whether several words are used as one thing: mostly after an article, a small word or nothing."""
        return self.times > MIN_TIMES or (self.beside_known > 0 and self.determined > 0)

    @property
    def _is_subject(self) -> bool:
        """Whether a single word is what some documents are about: it names a thing, and where it stands, it recurs."""
        a_thing = max(self.determined, self.capital) >= DETERMINED_SHARE * self.times
        return a_thing and self.times >= RECURS * len(self.documents)

    @property
    def strength(self) -> float:
        """Higher for what is repeated, spread, of several words, and named beside known concepts."""
        beside = 1 + 2 * self.beside_known / self.times
        return round(log2(1 + self.times) * log2(1 + len(self.documents)) * beside * (1 + 0.5 * (self.words > 1)), 3)


class Sketch:
    """About how often each key was counted, never too little, in 8 MB however many there are."""

    def __init__(self) -> None:
        self._counts = bytearray(_MASK + 1)

    def add(self, key: str) -> None:
        """Count once more; 255 is many."""
        place = zlib.crc32(key.encode(errors="surrogatepass")) & _MASK
        if self._counts[place] < 255:
            self._counts[place] += 1

    def count(self, key: str) -> int:
        """How often it was counted, or more."""
        return self._counts[zlib.crc32(key.encode(errors="surrogatepass")) & _MASK]


def sentences_in(text: str) -> Iterator[Sentence]:
    """The whole sentences of a chunk; headings, labels and other lines without an end are none."""
    start = 0
    for found in _SENTENCE.finditer(text):
        whole = not found[0].isspace()
        piece = text[start : found.end()]
        left = len(piece) - len(piece.lstrip(" \t\n-*+•>#"))
        if whole and piece[left:].strip():
            yield Sentence(start + left, found.end(), piece[left:].rstrip())
        start = found.end()


def is_shown(sentence: Sentence) -> bool:
    """Whether a sentence is long enough to say something and short enough to be read at a glance."""
    return _SHORTEST <= len(sentence.text) <= _LONGEST


def everyday_words(documents: Iterable[Iterable[str]]) -> frozenset[str]:
    """Words, of the set of words of each document, that too many of them hold."""
    counted: Counter[str] = Counter()
    total = 0
    for words in documents:
        total += 1
        counted.update(set(words))
    if total < 10:
        return frozenset()
    return frozenset(word for word, count in counted.items() if count > EVERYDAY_SHARE * total)


def phrases_in(sentence: Sentence, known: Sequence[Span], everyday: frozenset[str]) -> Iterator[Phrase]:
    """Every run of up to three words that may be a phrase, beside the known names, which are none."""
    tokens = tokens_of(sentence.text)
    taken = [_is_known(token, sentence, known) for token in tokens]
    plain = [_is_plain(token, everyday) for token in tokens]
    for first in range(len(tokens)):
        for last in range(first, min(first + MAX_WORDS, len(tokens))):
            if taken[last] or (last > first and tokens[last].gap):
                break
            if plain[first] or plain[last] or not all(_may_join(token) for token in tokens[first + 1 : last]):
                continue
            form = sentence.text[tokens[first].start : tokens[last].end]
            if "\n" not in form:
                yield _phrase(form, first, last, tokens, taken, everyday)


def _phrase(
    form: str, first: int, last: int, tokens: Sequence[Token], taken: Sequence[bool], everyday: frozenset[str]
) -> Phrase:
    before = first == 0 or bool(tokens[first].gap) or tokens[first - 1].word in _SMALL
    after = (
        last == len(tokens) - 1
        or bool(tokens[last + 1].gap)
        or tokens[last + 1].word in _SMALL
        or (not taken[last + 1] and tokens[last + 1].word in everyday)
    )
    return Phrase(
        key=" ".join(_singular(token.word) for token in tokens[first : last + 1]),
        form=form,
        words=last - first + 1,
        capital=first > 0 and tokens[first].capital,
        free_before=before,
        free_after=after,
        determined=first > 0 and tokens[first - 1].word in DETERMINERS,
    )


@lru_cache(maxsize=65_536)
def _singular(word: str) -> str:
    return name_key(word)


def _is_known(token: Token, sentence: Sentence, known: Sequence[Span]) -> bool:
    start, end = sentence.start + token.start, sentence.start + token.end
    return any(span.start < end and start < span.end for span in known)


def _is_plain(token: Token, everyday: frozenset[str]) -> bool:
    """Whether a word cannot begin or end a phrase: small or everyday words, numbers, letters, unspaced scripts."""
    word = token.word
    return len(word) < 4 or token.unspaced or word in _SMALL or word in everyday or any(map(str.isdigit, word))


def _may_join(token: Token) -> bool:
    """Whether a word may stand within a phrase: any but a small one, unless it joins two things as "of" does."""
    return not token.unspaced and (token.word not in _SMALL or token.word in _JOINING)
