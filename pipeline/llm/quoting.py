"""An answer without a model: the best sentences of the sources, word for word, each with its source (pure).

First the sentences that share most words with the question are short-listed; then their nearness to it in meaning,
which whoever calls gives, decides. What is near to nothing is not quoted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from corpus.taxonomy import Authority
from pipeline.sentences import sentences_of
from pipeline.turn import AnswerPart, Citation, Context, Delta, Source
from pipeline.words import content_words, words_of

SHORT_LIST = 10
"""Each costs an embedding, some milliseconds, before the first word."""
MAX_QUOTATIONS = 4
_A_SOURCE = 2
_LONGEST = 380
_SHORTEST_WORDS = 5
_NEAR = 0.25
"""Cosine similarity under which a sentence has nothing to do with a question, for all-MiniLM-L6-v2."""
_ENOUGH = 0.7
"""A sentence under this share of the best one's worth is left out, after the first two."""
_TRUST = {Authority.PRIMARY: 1.15, Authority.SUPPORTING: 0.9}

_OPENING = "I am quoting the library word for word, as no language model is at work on this answer."
_DOUBTFUL = "The library says little about this. I am quoting the nearest passages word for word."
_NOTHING = "I found nothing in the library that speaks to this. The nearest thing it covers is {title}."
_LEADS = {
    Authority.PRIMARY: "From {title}:",
    Authority.SUPPLEMENTARY: "From {title}, a supplementary source:",
    Authority.ILLUSTRATIVE: "As an illustration only, from {title}:",
    Authority.SUPPORTING: "As general background, from {title}:",
}
_LIST_MARK = re.compile(r"^(?:[-*+•]|\d{1,2}[.)])\s+")
_ENDS = frozenset(".!?。！？\"'”’»)]")
_INNER_MARKS = str.maketrans({"“": "'", "”": "'", '"': "'", "„": "'"})


@dataclass(frozen=True, slots=True)
class Quotation:
    """A whole sentence of a source, and its worth for the question."""

    source: Source
    sentence: str
    worth: float


def short_list(question: str, context: Context) -> list[Quotation]:
    """At most ten sentences worth a closer look: those with the question's rarest words, of equals the first ones."""
    sentences = [
        (source, sentence)
        for source in context.sources
        for line in sentences_of(source.text)
        if (sentence := _quotable(line))
    ]
    stems = [set(map(_stem, words_of(sentence))) for _, sentence in sentences]
    wanted = set(map(_stem, content_words(question)))
    rarity = {stem: log(1 + len(stems) / (1 + sum(stem in words for words in stems))) for stem in wanted}
    listed = [
        Quotation(source, sentence, sum(rarity[stem] for stem in wanted & words) - source.number / 100)
        for (source, sentence), words in zip(sentences, stems, strict=True)
    ]
    return sorted(listed, key=lambda quotation: -quotation.worth)[:SHORT_LIST]


def _quotable(line: str) -> str:
    """What of a line says something by itself, a list item without its mark; empty for headings and scraps."""
    sentence = _LIST_MARK.sub("", line)
    whole = sentence != line or sentence[-1:] in _ENDS
    fits = len(words_of(sentence)) >= _SHORTEST_WORDS and len(sentence) <= _LONGEST
    return sentence if whole and fits and sentence[-1] not in "…:" else ""


def chosen(listed: Sequence[Quotation], nearness: Sequence[float] | None) -> list[Quotation]:
    """Up to four quotations in the order of their sources, at most two of a source.

    `nearness` is each one's cosine similarity to the question; without it the shared words decide.
    """
    weighed = [
        Quotation(one.source, one.sentence, worth * _TRUST.get(one.source.authority, 1.0))
        for one, worth in zip(listed, nearness or [one.worth for one in listed], strict=True)
        if worth >= (_NEAR if nearness else 0.0)
    ]
    best: list[Quotation] = []
    for one in sorted(weighed, key=lambda quotation: -quotation.worth):
        enough = len(best) < 2 or one.worth >= _ENOUGH * best[0].worth
        if enough and len(best) < MAX_QUOTATIONS and sum(other.source is one.source for other in best) < _A_SOURCE:
            best.append(one)
    return sorted(best, key=lambda one: (one.source.number, one.source.text.find(one.sentence)))


def quoted_answer(quotations: Sequence[Quotation], context: Context, *, offset: int = 0) -> list[AnswerPart]:
    """The answer in pieces: what it is, then the quotations with their citations, primary sources first.

    Positions count from the start of the whole answer, of which `offset` characters were written before. A source's
    title stands on a line of its own, so that no sentence gives another's words to somebody it names.
    """
    parts: list[AnswerPart] = []
    position = offset

    def say(text: str) -> None:
        nonlocal position
        parts.append(Delta(text))
        position += len(text)

    if not quotations:
        say(_NOTHING.format(title=context.sources[0].title))
        return parts
    say(_OPENING if context.covered else _DOUBTFUL)
    shown: Source | None = None
    for quotation in quotations:
        if quotation.source is not shown:
            shown = quotation.source
            say("\n\n" + _LEADS[shown.authority].format(title=shown.title))
        say("\n")
        start = position
        say(f"“{quotation.sentence.translate(_INNER_MARKS)}”")
        parts.append(Citation(quotation.source.number, quotation.sentence, start, position))
    return parts


def _stem(word: str) -> str:
    """The word without common endings: enough to see that two words are one."""
    for ending in ("ing", "ies", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
