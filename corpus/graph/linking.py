"""Which concepts a text names: exact names and aliases, as whole words, in any case."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Q

from corpus.models import Alias, Chunk, Concept, Mention

MAX_COUNT = 32_767
"""The most mentions of a concept a chunk can be given: what the column holds."""

_WORD = re.compile(r"\w+")


class NameIndex:
    """Names of concepts, to be found in many texts. Built once, it looks at each word of a text once."""

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._by_first_word: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for name, concept in names:
            plain = _plain(name)
            if word := _WORD.search(plain):
                self._by_first_word[word[0]].append((plain, word.start(), concept))

    def mentions(self, text: str) -> dict[int, int]:
        """How often each concept is named. Names of one concept that overlap are one mention."""
        plain = _plain(text)
        spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for word in _WORD.finditer(plain):
            for name, offset, concept in self._by_first_word.get(word[0], ()):
                start = word.start() - offset
                if start >= 0 and plain.startswith(name, start) and _stands_alone(plain, start, start + len(name)):
                    spans[concept].append((start, start + len(name)))
        return {concept: min(_apart(found), MAX_COUNT) for concept, found in spans.items()}


def concepts_named(text: str, names: Iterable[tuple[str, int]]) -> dict[int, int]:
    """How often a text names each concept of the (name, concept) pairs; those it does not name are left out."""
    return NameIndex(names).mentions(text)


def mentions_link(*, chunk_ids: Sequence[int]) -> None:
    """Store anew which concepts these chunks mention."""
    index = NameIndex(_all_names())
    with transaction.atomic():
        Mention.objects.filter(chunk__in=chunk_ids).delete()
        Mention.objects.bulk_create(
            Mention(chunk_id=chunk, concept_id=concept, count=count)
            for chunk, text in Chunk.objects.filter(pk__in=chunk_ids).order_by("pk").values_list("pk", "text")
            for concept, count in sorted(index.mentions(text).items())
        )


def mentions_relink(concept: Concept) -> None:
    """Store anew which chunks mention a concept whose names have changed."""
    names = [concept.name, *concept.aliases.values_list("name", flat=True)]
    index = NameIndex((name, concept.pk) for name in names)
    # A word of each name narrows the chunks down; whether the name stands there is for the index to say.
    words = [max(found, key=len) for name in names if (found := _WORD.findall(name))]
    chunks = Chunk.objects.filter(Q(pk__in=[])) if not words else Chunk.objects.filter(_any_of(words))
    with transaction.atomic():
        Mention.objects.filter(concept=concept).delete()
        Mention.objects.bulk_create(
            Mention(chunk_id=chunk, concept=concept, count=counts[concept.pk])
            for chunk, text in chunks.order_by("pk").values_list("pk", "text").iterator()
            if (counts := index.mentions(text))
        )


def _any_of(words: Iterable[str]) -> Q:
    """That a chunk's text contains one of the words, in any case."""
    condition = Q()
    for word in words:
        condition |= Q(text__icontains=word)
    return condition


def _all_names() -> list[tuple[str, int]]:
    """Every name and alias with its concept."""
    return [*Concept.objects.values_list("name", "pk"), *Alias.objects.values_list("name", "concept_id")]


def _plain(text: str) -> str:
    """A text with its case folded and its white space made single blanks."""
    return " ".join(text.casefold().split())


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is not a part of a longer word. An edge that is no letter or digit ends nothing."""
    before = start > 0 and _is_word(text[start]) and _is_word(text[start - 1])
    after = end < len(text) and _is_word(text[end - 1]) and _is_word(text[end])
    return not (before or after)


def _is_word(character: str) -> bool:
    """Whether a character belongs to a word."""
    return character.isalnum() or character == "_"


def _apart(spans: Sequence[tuple[int, int]]) -> int:
    """How many spans there are when overlapping ones are one."""
    count, reached = 0, -1
    for start, end in sorted(spans):
        if start >= reached:
            count += 1
        reached = max(reached, end)
    return count
