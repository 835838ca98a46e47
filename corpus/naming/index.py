"""Names of concepts found in texts: whole words, the longest name first, in any case, accent, number and script (pure).

Names are compared word by word by their keys (corpus.naming.inflection). What stands between two words has to agree
too, blanks, hyphens and quotation marks apart. Of names that overlap in a text, the longest counts, of equally long
ones the first.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.naming.folding import folded
from corpus.naming.inflection import LANGUAGES, keys_of
from corpus.naming.languages import SMALL_WORDS, guessed_language
from corpus.naming.tokens import Token, sticks_to, tokens_of

MAX_COUNT = 32_767
"""The most mentions of a concept a chunk can be given: what the column holds."""

_BEFORE = re.compile(r"[#@.$&]+$")
_AFTER = re.compile(r"[+#%]+")
_SMALL = frozenset(folded(word) for word in SMALL_WORDS)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a text names a concept."""

    start: int
    end: int
    concept: int


@dataclass(frozen=True, slots=True)
class _Name:
    words: tuple[frozenset[str], ...]
    gaps: tuple[str, ...]
    before: str
    after: str
    in_capitals: bool
    """An abbreviation that is an ordinary word too, such as AND: only found in capitals."""
    concept: int


class NameIndex:
    """Names of concepts, to be found in many texts. Built once a language, it looks at each word of a text once."""

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._names = list(names)
        self._by_language: dict[str, dict[str, list[_Name]]] = {}

    def spans(self, text: str, language: str | None = None) -> list[Span]:
        """Where the text names which concept, in order. Without a language it is guessed from the text."""
        tokens = tokens_of(text)
        tag = guessed_language(token.word for token in tokens) if language is None else language.lower().split("-")[0]
        return _longest(self._found(text, tokens, tag))

    def mentions(self, text: str, language: str | None = None) -> dict[int, int]:
        """How often each concept is named."""
        counts: defaultdict[int, int] = defaultdict(int)
        for span in self.spans(text, language):
            counts[span.concept] = min(counts[span.concept] + 1, MAX_COUNT)
        return dict(counts)

    def _found(self, text: str, tokens: Sequence[Token], language: str) -> Iterable[Span]:
        by_first = self._names_in(language)
        keys = [keys_of(token.word, language) for token in tokens]
        for at in range(len(tokens)):
            seen: set[int] = set()
            for key in keys[at]:
                for name in by_first.get(key, ()):
                    if id(name) not in seen and _stands_at(name, at, text, tokens, keys):
                        seen.add(id(name))
                        yield Span(tokens[at].start, tokens[at + len(name.words) - 1].end, name.concept)

    def _names_in(self, language: str) -> dict[str, list[_Name]]:
        if language not in self._by_language:
            by_first: defaultdict[str, list[_Name]] = defaultdict(list)
            for text, concept in self._names:
                if (name := _name_of(text, concept, language)) is not None:
                    for key in name.words[0]:
                        by_first[key].append(name)
            self._by_language[language] = dict(by_first)
        return self._by_language[language]


def concepts_named(text: str, names: Iterable[tuple[str, int]]) -> dict[int, int]:
    """How often a text names each concept of the (name, concept) pairs; those it does not name are left out."""
    return NameIndex(names).mentions(text)


def lookup_keys(text: str, *, first_only: bool = False) -> list[str]:
    """Keys, in any language, of the words of a text, or of its first word alone: what a stored name is found by."""
    tokens = tokens_of(text)[: 1 if first_only else None]
    return sorted({key for token in tokens for language in LANGUAGES for key in keys_of(token.word, language)})


def name_key(name: str) -> str:
    """A name folded to what makes it the same name, in number too; empty when it holds no word."""
    return " ".join(f"{token.gap}{min(keys_of(token.word), key=len)}" for token in tokens_of(name))


def _name_of(text: str, concept: int, language: str) -> _Name | None:
    tokens = tokens_of(text)
    if not tokens:
        return None
    before, after = _BEFORE.search(text[: tokens[0].start]), _AFTER.match(text, tokens[-1].end)
    return _Name(
        words=tuple(keys_of(token.word, language) for token in tokens),
        gaps=tuple(token.gap for token in tokens),
        before=before[0] if before else "",
        after=after[0] if after else "",
        in_capitals=len(tokens) == 1 and tokens[0].word in _SMALL and text.isupper(),
        concept=concept,
    )


def _stands_at(name: _Name, at: int, text: str, tokens: Sequence[Token], keys: Sequence[frozenset[str]]) -> bool:
    """Whether a name, whose first word is tokens[at], stands there as a whole."""
    last = at + len(name.words) - 1
    if last >= len(tokens):
        return False
    for offset in range(1, len(name.words)):
        if tokens[at + offset].gap != name.gaps[offset] or keys[at + offset].isdisjoint(name.words[offset]):
            return False
    start, end = tokens[at].start, tokens[last].end
    if name.in_capitals and not text[start:end].isupper():
        return False
    if not text.endswith(name.before, 0, start):
        return False
    return text.startswith(name.after, end) if name.after else not sticks_to(text, end)


def _longest(found: Iterable[Span]) -> list[Span]:
    """The spans that count. Several concepts may share one span; otherwise none overlap."""
    kept: list[Span] = []
    accepted: set[tuple[int, int]] = set()
    taken: set[int] = set()
    for span in sorted(set(found), key=lambda span: (span.start - span.end, span.start, span.concept)):
        place = (span.start, span.end)
        if place not in accepted:
            if not taken.isdisjoint(range(*place)):
                continue
            accepted.add(place)
            taken.update(range(*place))
        kept.append(span)
    return sorted(kept, key=lambda span: (span.start, span.concept))
