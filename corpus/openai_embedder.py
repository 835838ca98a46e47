"""OpenAI's embeddings, through the official SDK: the only module that imports it.

Questions have little time and a breaker: without a vector the other channels answer. A worker has time: it asks again
as often as it is sensible, and what still fails waits with its ingestion.
"""

import asyncio
import logging
import random
import time
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import httpx2
import numpy as np
import openai
from numpy.typing import NDArray

from corpus.breaker import Breaker
from corpus.errors import EmbedderUnavailable
from corpus.openai_access import OpenAIAccess

logger = logging.getLogger(__name__)

DIMENSIONS = {"text-embedding-3-small": 1_536}
"""The models that can be embedded with, and the length of their vectors."""

MAX_ITEMS = 2_048
MAX_BYTES_A_TEXT = 8_192
MAX_BYTES = 300_000
"""The API's limits count tokens. A token is at least one byte, so within so many bytes no request is ever too large."""

IDLE_SECONDS = 300.0
LONGEST_WAIT = 20.0
LONGEST_LEAVE = 60.0
"""For so long no question asks a provider that wants a longer pause than a worker would keep."""
_BLANK = "(no text)"

Floats = NDArray[np.float32]


class OpenAIEmbedder:
    """An Embedder that asks OpenAI. Clients belong to one event loop each; a worker's is shared by its threads."""

    def __init__(self, model: str, access: OpenAIAccess) -> None:
        self.model = model
        self.dimension = DIMENSIONS[model]
        self._access = access
        self._breaker = Breaker(clock=time.monotonic, threshold=2, pause=2.0, longest_pause=30.0)
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = WeakKeyDictionary()
        self._worker: openai.OpenAI | None = None

    async def embed(self, texts: Sequence[str]) -> list[Floats]:
        """One unit vector a text, in order, within a question's time. Raises EmbedderUnavailable."""
        if not self._breaker.admits():
            raise EmbedderUnavailable("OpenAI has failed a moment ago and is left alone.")
        try:
            async with asyncio.timeout(self._access.limits.query):
                vectors = [vector for batch in batches_of(texts) for vector in await self._asked(batch)]
        except (EmbedderUnavailable, TimeoutError) as error:
            self._breaker.failed()
            if isinstance(error, _Again) and error.pause(1) is None:
                self._breaker.open_for(LONGEST_LEAVE)
            if isinstance(error, EmbedderUnavailable):
                raise
            raise EmbedderUnavailable from error
        self._breaker.succeeded()
        return vectors

    def embed_batch(self, texts: Sequence[str]) -> list[Floats]:
        """The same for a worker. Raises EmbedderUnavailable."""
        return [vector for batch in batches_of(texts) for vector in self._worked(batch)]

    def ping(self) -> None:
        """Return when the breaker lets questions pass: asking the provider would cost. Raises EmbedderUnavailable."""
        if self._breaker.is_open:
            raise EmbedderUnavailable("OpenAI does not answer.")

    async def warm(self) -> None:
        """Open a connection on this loop, or keep it open, past the breaker. Raises EmbedderUnavailable."""
        await self._asked(["warm"])
        self._breaker.succeeded()

    async def close(self) -> None:
        """Close what the running loop has open."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    async def _asked(self, batch: Sequence[str]) -> list[Floats]:
        limits = self._access.limits
        for left in reversed(range(limits.query_tries)):
            try:
                with _Translated():
                    reply = await self._client().embeddings.create(
                        model=self.model, input=list(batch), timeout=httpx2.Timeout(limits.query, connect=1.0)
                    )
                    return self._checked([(item.index, item.embedding) for item in reply.data], len(batch))
            except _Again as again:
                pause = again.pause(limits.query_tries - left)
                if not left or pause is None or pause > limits.query:
                    raise
                await asyncio.sleep(pause)
        raise EmbedderUnavailable

    def _worked(self, batch: Sequence[str]) -> list[Floats]:
        limits = self._access.limits
        if self._worker is None:
            self._worker = openai.OpenAI(
                api_key=self._access.api_key, base_url=self._access.base_url or None, max_retries=0
            )
        for left in reversed(range(limits.batch_tries)):
            try:
                with _Translated():
                    reply = self._worker.embeddings.create(
                        model=self.model, input=list(batch), timeout=httpx2.Timeout(limits.batch, connect=5.0)
                    )
                    return self._checked([(item.index, item.embedding) for item in reply.data], len(batch))
            except _Again as again:
                pause = again.pause(limits.batch_tries - left)
                if not left or pause is None:
                    raise
                logger.info("An embedding request is tried again in %.1f s: %s", pause, again)
                time.sleep(pause)
        raise EmbedderUnavailable

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = openai.AsyncOpenAI(
                api_key=self._access.api_key,
                base_url=self._access.base_url or None,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(limits=httpx2.Limits(keepalive_expiry=IDLE_SECONDS)),
            )
        return self._clients[loop]

    def _checked(self, found: Sequence[tuple[int, Sequence[float]]], wanted: int) -> list[Floats]:
        """The vectors in order of the texts, each of unit length. Raises EmbedderUnavailable for anything else."""
        vectors = {index: np.asarray(numbers, dtype=np.float32) for index, numbers in found}
        if len(found) != wanted or set(vectors) != set(range(wanted)):
            raise EmbedderUnavailable(f"OpenAI sent {len(found)} vectors for {wanted} texts.")
        if any(vector.shape != (self.dimension,) for vector in vectors.values()):
            raise EmbedderUnavailable(f"OpenAI sent vectors of another dimension than {self.dimension}.")
        lengths = {index: float(np.linalg.norm(vector)) for index, vector in vectors.items()}
        if not all(np.isfinite(length) and length > 1e-6 for length in lengths.values()):
            raise EmbedderUnavailable("OpenAI sent a vector that is none.")
        return [np.asarray(vectors[index] / lengths[index], dtype=np.float32) for index in range(wanted)]


def batches_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in requests that the API takes: by number, by the size of one text, by the size of all."""
    batch: list[str] = []
    size = 0
    for text in texts:
        sent = text.encode("utf-8", "replace")[:MAX_BYTES_A_TEXT].decode("utf-8", "ignore")
        sent = sent if sent.strip() else _BLANK
        cost = len(sent.encode())
        if batch and (len(batch) == MAX_ITEMS or size + cost > MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(sent)
        size += cost
    if batch:
        yield batch


class _Again(EmbedderUnavailable):
    """OpenAI did not answer this request. Another may succeed."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(f"OpenAI does not answer ({reason}).")
        self._retry_after = retry_after

    def pause(self, failures: int) -> float | None:
        """Seconds until the next try; None when so long a wait makes no sense here."""
        if self._retry_after is not None:
            return self._retry_after if self._retry_after <= LONGEST_WAIT else None
        return 0.2 * 2.0**failures * random.uniform(1.0, 1.5)  # noqa: S311 (spreads retries, no secret)


class _Translated:
    """Within, whatever the SDK raises comes out as an EmbedderUnavailable."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        match error:
            case openai.APIStatusError() if error.status_code in (408, 409, 429) or error.status_code >= 500:
                after = error.response.headers.get("retry-after", "")
                seconds = float(after) if after.isdigit() else None
                raise _Again(f"status {error.status_code}", retry_after=seconds) from error
            case openai.APIStatusError():
                raise EmbedderUnavailable(f"OpenAI refuses to embed (status {error.status_code}).") from error
            case openai.OpenAIError() | httpx2.HTTPError():
                raise _Again(type(error).__name__) from error
            case ValueError() | TypeError() | AttributeError():
                raise EmbedderUnavailable("OpenAI sent a reply that cannot be read.") from error
