"""A Celery worker as in production, but for an embedder that takes its time.

Run as `celery -A tests.corpus.slow_worker worker`, by tests/corpus/test_workers.py.
"""

import time
from collections.abc import Sequence

from corpus.embeddings import Vector
from secondact.celery import app
from tests.corpus.hash_embedder import HashEmbedder

SECONDS_A_TEXT = 0.03


class SlowEmbedder(HashEmbedder):
    """An embedding service that is slow."""

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        time.sleep(SECONDS_A_TEXT * len(texts))
        return super().embed_batch(texts)


@app.on_after_finalize.connect  # type: ignore[untyped-decorator]
def _embed_slowly(**_signal: object) -> None:
    from corpus import wiring

    wiring._embedders["local", "angles"] = SlowEmbedder()
