"""The embeddings API: vectors out of a text's words, and the limits that the real one has."""

import base64
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from benchmarks.provider.replies import Call, Reply, error_reply, json_reply

DIMENSION = 1_536
MAX_ITEMS = 2_048
MAX_TOKENS = 8_192
MAX_SUM = 300_000


def embeddings_reply(call: Call) -> Reply:
    """A vector a text, or what is wrong with the request."""
    texts = call.body["input"]
    texts = [texts] if isinstance(texts, str) else texts
    tokens = [len(text.encode()) // 4 for text in texts]
    if len(texts) > MAX_ITEMS or not all(texts) or max(tokens, default=0) > MAX_TOKENS or sum(tokens) > MAX_SUM:
        return error_reply(400, "invalid_request_error")
    return vectors_reply([vector_of(text) for text in texts], encoding=call.body.get("encoding_format", "float"))


def vectors_reply(vectors: Sequence[NDArray[np.float32]], *, encoding: str = "base64") -> Reply:
    """These vectors, in reverse order, since the API promises none but the index."""
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(vector.tobytes()).decode() if encoding == "base64" else vector.tolist(),
        }
        for index, vector in enumerate(vectors)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return json_reply({"object": "list", "data": data[::-1], "model": "text-embedding-3-small", "usage": usage})


def vector_of(text: str) -> NDArray[np.float32]:
    """A vector of length 1: texts that share words are near."""
    total = np.full(DIMENSION, 1e-3, dtype=np.float32)
    for word in text.lower().split():
        total += _direction(word.strip("?.,!"))
    return total / np.float32(np.linalg.norm(total))


@lru_cache(maxsize=10_000)
def _direction(word: str) -> NDArray[np.float32]:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
