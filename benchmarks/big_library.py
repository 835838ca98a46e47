"""Libraries of any size for the latency benchmark: the documents of the judged sets, then as many more made from them.

What is made up is two half documents joined, with a real document's vector moved a little (a cosine of about 0.8), so
that words are as frequent and vectors lie as close as in real text. Forty chunks make a document; authorities and
content types are dealt out unevenly, one of them to one chunk in a thousand.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.datasets import load_set
from benchmarks.filling import SEED, Item, text_of
from benchmarks.vectors import vectors_of
from corpus.minilm import Floats
from corpus.models.documents import MAX_CHUNK_CHARACTERS
from corpus.taxonomy import Authority, ContentType

CHUNKS_A_DOCUMENT = 40
MAX_QUESTION = 160
"""Characters of a question as members type it."""
_NOISE = 0.75
_AUTHORITIES = dict(zip(Authority, (0.4, 0.3, 0.2, 0.1), strict=True))
_CONTENT_TYPES = {kind: 0.001 if kind is ContentType.QUOTE else 0.1 for kind in ContentType}


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Real texts and their vectors, and questions about them with theirs."""

    texts: Sequence[str]
    vectors: Floats
    questions: Sequence[str]
    question_vectors: Floats


def sources_of(names: Sequence[str], *, folder: Path, work: Path, questions: int) -> Sources:
    """The texts of the sets, and a seeded choice of their short questions."""
    texts: list[str] = []
    asked: list[str] = []
    vectors, asked_vectors = [], []
    for name in names:
        judged = load_set(name, folder=folder)
        own = [text_of(document) for document in judged.documents]
        texts += [text.replace("\x00", " ")[:MAX_CHUNK_CHARACTERS] for text in own]
        vectors.append(vectors_of(own, work=work, label=f"{name}-documents"))
        asked += judged.questions.values()
        asked_vectors.append(vectors_of(list(judged.questions.values()), work=work, label=f"{name}-questions"))
    all_vectors = np.concatenate(asked_vectors)
    short = [at for at, question in enumerate(asked) if len(question) <= MAX_QUESTION]
    chosen = random.Random(SEED).sample(short, min(questions, len(short)))
    return Sources(texts, np.concatenate(vectors), [asked[at] for at in chosen], all_vectors[chosen])


def items_of(sources: Sources, number: int) -> Iterator[Item]:
    """So many chunks: the real ones in a shuffled order, then made-up ones."""
    chance = random.Random(SEED)
    noise = np.random.default_rng(SEED)
    real = list(range(len(sources.texts)))
    chance.shuffle(real)
    authority, kind = Authority.PRIMARY, ContentType.BOOK_CHAPTER
    for at in range(number):
        if at % CHUNKS_A_DOCUMENT == 0:
            (authority,) = chance.choices(list(_AUTHORITIES), list(_AUTHORITIES.values()))
            (kind,) = chance.choices(list(_CONTENT_TYPES), list(_CONTENT_TYPES.values()))
        text, vector = _real_or_made(sources, real, at, chance, noise)
        yield Item(str(at), f"document {at // CHUNKS_A_DOCUMENT}", "", text, vector, authority, kind)


def _real_or_made(
    sources: Sources, real: Sequence[int], at: int, chance: random.Random, noise: np.random.Generator
) -> tuple[str, Floats]:
    if at < len(real):
        return sources.texts[real[at]], sources.vectors[real[at]]
    first, second = (sources.texts[chance.randrange(len(real))] for _ in range(2))
    vector = sources.vectors[chance.randrange(len(real))]
    moved = vector + noise.normal(size=vector.shape).astype(np.float32) * np.float32(_NOISE / vector.size**0.5)
    return f"{first[: len(first) // 2]} {second[len(second) // 2 :]}", moved / np.linalg.norm(moved)
