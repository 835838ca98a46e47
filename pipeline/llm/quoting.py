"""An answer without a model: the best sentences of the best sources, word for word, each with its source (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from corpus.taxonomy import Authority
from pipeline.sentences import sentences_of
from pipeline.turn import AnswerPart, Citation, Context, Delta, Source
from pipeline.words import content_words, words_of

MAX_QUOTATIONS = 4
_LONGEST = 380
_SHORTEST_WORDS = 5
_ENOUGH = 0.5
"""A sentence under half of the best one's worth is left out, after the first two."""

_LEADS = {
    Authority.PRIMARY: "From “{title}”:",
    Authority.SUPPLEMENTARY: "“{title}”, a supplementary source, adds:",
    Authority.ILLUSTRATIVE: "An illustrative example, not the author's own teaching, from “{title}”:",
    Authority.SUPPORTING: "As general background, “{title}” says:",
}
_OPENING = "I am quoting the library word for word, as no language model is at work on this answer."
_DOUBTFUL = "The library says little about this. The nearest passages, word for word:"
_MARKS = str.maketrans({"“": "'", "”": "'", '"': "'", "„": "'"})


@dataclass(frozen=True, slots=True)
class Quotation:
    """A whole sentence of a source and its worth for the question."""

    source: Source
    sentence: str
    worth: float


def quotations_for(question: str, context: Context) -> list[Quotation]:
    """Two to four sentences that share most with the question, at most two of a source, primary sources first."""
    candidates = [
        Quotation(source, sentence, worth)
        for source, sentence, worth in _weighed(question, context.sources)
        if len(words_of(sentence)) >= _SHORTEST_WORDS and len(sentence) <= _LONGEST
    ]
    candidates.sort(key=lambda quotation: -quotation.worth)
    chosen: list[Quotation] = []
    for quotation in candidates:
        enough = len(chosen) < 2 or quotation.worth >= _ENOUGH * chosen[0].worth
        if enough and sum(other.source is quotation.source for other in chosen) < 2:
            chosen.append(quotation)
        if len(chosen) == MAX_QUOTATIONS:
            break
    return sorted(
        chosen, key=lambda quotation: (quotation.source.number, quotation.source.text.find(quotation.sentence))
    )


def quoted_answer(question: str, context: Context, *, offset: int = 0) -> list[AnswerPart]:
    """The answer in pieces: what it is, then quotations with their citations, the author's works first.

    Positions count from the start of the whole answer, of which `offset` characters were written before.
    """
    parts: list[AnswerPart] = []
    position = offset

    def say(text: str) -> None:
        nonlocal position
        parts.append(Delta(text))
        position += len(text)

    say(_OPENING if context.covered else _DOUBTFUL)
    shown: Source | None = None
    for quotation in quotations_for(question, context):
        if quotation.source is not shown:
            shown = quotation.source
            say("\n\n" + _LEADS[shown.authority].format(title=shown.title.translate(_MARKS)))
        say(" ")
        start = position
        say(f"“{quotation.sentence.translate(_MARKS)}”")
        parts.append(Citation(quotation.source.number, quotation.sentence, start, position))
    return parts


def _weighed(question: str, sources: Sequence[Source]) -> list[tuple[Source, str, float]]:
    """Each sentence with the summed rarity of the question's words it holds; a rare word in the sources weighs more.

    A source's rank and authority count too: the first source's sentence is worth half as much again as the last one's.
    """
    sentences = [(source, sentence) for source in sources for sentence in sentences_of(source.text)]
    stems = [set(map(_stem, words_of(sentence))) for _, sentence in sentences]
    wanted = set(map(_stem, content_words(question)))
    rarity = {stem: log(1 + len(stems) / (1 + sum(stem in words for words in stems))) for stem in wanted}
    weighed = []
    for (source, sentence), words in zip(sentences, stems, strict=True):
        shared = sum(rarity[stem] for stem in wanted & words)
        trust = 1.2 if source.authority is Authority.PRIMARY else 1.0
        rank = 1 + 0.5 * (1 - (source.number - 1) / max(1, len(sources)))
        weighed.append((source, sentence, (0.1 + shared) * rank * trust / (1 + 0.01 * len(words))))
    return weighed


def _stem(word: str) -> str:
    """The word without common endings: enough to see that two words are one."""
    for ending in ("ing", "ies", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
