"""The local classifier: which intent's sample questions are nearest, and which turns of phrase speak for an intent."""

import re
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.embeddings import Embedder
from pipeline.turn import IntentKind

_EXEMPLARS = Path(__file__).with_name("exemplars.toml")
_NEAREST = 3
_CUE = 0.15
"""What a turn of phrase is worth, in cosine similarity."""
_FAR = 0.3
"""Under this likeness to the samples a turn of phrase says little: of questions written anew 4 of 10 were judged right,
above it 21 of 22."""
_SHARPNESS = 12.0
"""Makes shares of the scores' differences: a lead of 0.1 over one rival is .77 to .23."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The content of exemplars.toml."""

    questions: Mapping[IntentKind, tuple[str, ...]]
    cues: Mapping[IntentKind, tuple[re.Pattern[str], ...]]
    ambiguous: Mapping[str, tuple[str, ...]]
    """Meanings of a word that may be meant in any short question whose only subject it is."""
    ambiguous_bare: Mapping[str, tuple[str, ...]]
    """The same of a word whose meaning the rest of a sentence would tell."""
    anywhere: tuple[re.Pattern[str], ...]
    """Matched as written: names begin with a capital."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The likeliest intent and how sure it is, 0 to 1."""

    kind: IntentKind
    confidence: float
    cued: bool = False
    """Whether a turn of phrase spoke for it, not only the nearness of samples."""


@cache
def samples() -> Samples:
    """The sample questions and turns of phrase, read once."""
    table = tomllib.loads(_EXEMPLARS.read_text(encoding="utf-8"))
    return Samples(
        questions={IntentKind(name): tuple(questions) for name, questions in table["exemplars"].items()},
        cues={IntentKind(name): tuple(map(re.compile, patterns)) for name, patterns in table["cues"].items()},
        ambiguous=_meanings(table["ambiguous"]["anyhow"]),
        ambiguous_bare=_meanings(table["ambiguous"]["bare"]),
        anywhere=tuple(re.compile(pattern) for patterns in table["anywhere"].values() for pattern in patterns),
    )


def _meanings(words: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {word: tuple(readings) for word, readings in words.items()}


class Classifier:
    """Judges questions with the embedder it is given. The samples are embedded once, at the first question."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._vectors: dict[IntentKind, NDArray[np.float32]] = {}

    def warm(self) -> None:
        """Embed the samples now. It computes; call it off the event loop. Raises EmbedderUnavailable."""
        with self._lock:
            if not self._vectors:
                self._vectors = {kind: self._embedded(texts) for kind, texts in samples().questions.items()}

    def judge(self, question: str) -> Verdict:
        """The likeliest intent. It computes; call it off the event loop. Raises EmbedderUnavailable."""
        self.warm()
        vector = self._embedded([question])[0]
        return verdict_of({kind: _nearest(vectors @ vector) for kind, vectors in self._vectors.items()}, question)

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack(self._embedder.embed_batch(list(texts)))


def verdict_of(similarity: Mapping[IntentKind, float], question: str) -> Verdict:
    """The verdict from the similarity to each intent's samples and the question's turns of phrase."""
    plain = question.lower().replace("’", "'")
    cued = {kind for kind, cues in samples().cues.items() if any(cue.search(plain) for cue in cues)}
    scores = {kind: similarity.get(kind, 0.0) + _CUE * (kind in cued) for kind in IntentKind}
    weights = {kind: float(np.exp(_SHARPNESS * score)) for kind, score in scores.items()}
    best = max(scores, key=lambda kind: scores[kind])
    share = weights[best] / sum(weights.values())
    # Nearness of samples is mostly nearness of subject; what is asked for shows in the turn of phrase.
    far = similarity.get(best, 1.0) < _FAR
    sure = best in cued and not far and not any(place.search(question) for place in samples().anywhere)
    return Verdict(best, (1 + share) / 2 if sure else share / 2, best in cued)


def verdict_without_vectors(question: str) -> Verdict:
    """The verdict by turns of phrase alone, for when nothing can be embedded."""
    return verdict_of({IntentKind.GENERAL: 0.05}, question)


def _nearest(similarities: NDArray[np.float32]) -> float:
    return float(np.mean(np.sort(similarities)[-_NEAREST:]))
