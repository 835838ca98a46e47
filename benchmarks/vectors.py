"""Vectors of the local model, computed once for a list of texts and kept on disk."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from corpus import minilm
from corpus.minilm import Floats

_A_STEP = 256


def vectors_of(texts: Sequence[str], *, work: Path, label: str) -> Floats:
    """Unit vectors, shape (len(texts), 384), from the folder's cache or the model."""
    digest = hashlib.sha256("\0".join([minilm.MODEL, *texts]).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    path = work / "vectors" / f"{label}-{digest}.npy"
    if path.exists():
        kept: Floats = np.load(path)
        return kept
    model = minilm.load()
    steps = range(0, len(texts), _A_STEP)
    found = np.concatenate([model.embed(texts[start : start + _A_STEP]) for start in steps])
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, found)
    return found
