"""Claude, through the official SDK: the only module that imports it.

It asks within the limits of each node and turns what the SDK raises into our failures (claude_errors.py); trying.py
asks again where that can help. Requests are put together in claude_request.py, streams read in claude_stream.py,
structured replies in claude_reply.py. A ClaudeModel belongs to the event loop it is used on.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import anthropic
import httpx2
from pydantic import BaseModel, ValidationError

from corpus.breaker import Breaker
from pipeline.errors import ModelUnavailable, StreamBroken
from pipeline.llm import claude_request as told
from pipeline.llm.claude_access import ClaudeAccess
from pipeline.llm.claude_errors import failure_of
from pipeline.llm.claude_reply import CandidatesReply, IntentReply, candidates_of, intent_of
from pipeline.llm.claude_stream import AnswerReader, usage_of
from pipeline.llm.model import AnswerRequest, SuggestionReply, SuggestionRequest
from pipeline.llm.model_names import ModelNames
from pipeline.llm.trying import AttemptFailed, Limits, NoUse, tried
from pipeline.turn import AnswerPart, Intent, TurnRequest

_Reply = TypeVar("_Reply", bound=BaseModel)

INTENT_TOKENS = 700
SUGGESTION_TOKENS = 900
IDLE_SECONDS = 300.0
"""How long an unused connection is kept. It is used every half minute, so that it stays warm."""
PING_CACHED_SECONDS = 10.0


class _Family:
    """The models that serve one kind of call: their names, and a breaker of their own."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = ModelNames(names)
        self.breaker = Breaker(clock=time.monotonic, threshold=3, pause=2.0, longest_pause=30.0)


class ClaudeModel:
    """The LanguageModel that asks Claude: a fast model for intent and suggestions, another for answers."""

    name = "claude"

    def __init__(self, access: ClaudeAccess) -> None:
        self._limits = access.limits
        self._fast = _Family(access.fast_models)
        self._answering = _Family(access.answer_models)
        self._pinged: tuple[float, ModelUnavailable | None] = (float("-inf"), None)
        self._client = anthropic.AsyncAnthropic(
            api_key=access.api_key,
            base_url=access.base_url or None,
            max_retries=0,
            http_client=anthropic.DefaultAsyncHttpxClient(
                limits=httpx2.Limits(max_connections=200, max_keepalive_connections=50, keepalive_expiry=IDLE_SECONDS)
            ),
        )

    @property
    def serves(self) -> dict[str, str]:
        """For each node the model that answers for it, and names that turned out to be gone."""
        fast, answering = str(self._fast.names), str(self._answering.names)
        return {"intent": fast, "answers": answering, "suggestions": fast}

    async def classify(self, request: TurnRequest, prompt: str) -> Intent:
        """What the member wants with the question. Raises ModelUnavailable, also for a reply that is no verdict."""
        message = told.intent_message(request)
        reply, usage, model = await self._structured(IntentReply, prompt, message, INTENT_TOKENS, self._limits.intent)
        return intent_of(reply, request, usage=usage, model=model)

    async def suggest(self, request: SuggestionRequest) -> SuggestionReply:
        """Candidates for follow-up questions. Raises ModelUnavailable."""
        message = told.suggestions_message(request)
        limits = self._limits.suggestions
        reply, usage, model = await self._structured(
            CandidatesReply, request.prompt, message, SUGGESTION_TOKENS, limits
        )
        return SuggestionReply(candidates_of(reply), usage, model)

    async def answer(self, request: AnswerRequest) -> AsyncGenerator[AnswerPart, None]:
        """The answer as it is written. Raises ModelUnavailable before its first word, StreamBroken after it."""
        begun = await tried(
            lambda name: self._begin(name, request),
            names=self._answering.names,
            breaker=self._answering.breaker,
            limits=self._limits.answer,
        )
        try:
            async for part in begun.parts(silence=self._limits.silence, whole=self._limits.whole_answer):
                yield part
        finally:
            await begun.close()

    async def ping(self) -> None:
        """Return when both models are there. Raises ModelUnavailable. What was found out holds for ten seconds."""
        asked_at, failure = self._pinged
        if time.monotonic() - asked_at >= PING_CACHED_SECONDS:
            failure = await self._look_up()
            self._pinged = (time.monotonic(), failure)
        if failure is not None:
            raise failure

    async def warm(self) -> None:
        """Open the connections a turn uses, or keep them open. Raises ModelUnavailable."""
        # The SDK loads its parts at their first use: a tenth of a second that no question should wait for.
        _ = self._client.messages, [anthropic.transform_schema(shape) for shape in (IntentReply, CandidatesReply)]
        failure = await self._look_up()
        self._pinged = (time.monotonic(), failure)
        if failure is not None:
            raise failure

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def _look_up(self) -> ModelUnavailable | None:
        """Ask for both models at once, which costs nothing and needs as many connections as a turn does."""
        families = (self._fast, self._answering)
        found = await asyncio.gather(*(self._known(family) for family in families), return_exceptions=True)
        for failure in found:
            if isinstance(failure, BaseException) and not isinstance(failure, ModelUnavailable):
                raise failure
        return next((failure for failure in found if isinstance(failure, ModelUnavailable)), None)

    async def _known(self, family: _Family) -> None:
        limits = self._limits.ping
        # A breaker of its own: that a model is known does not say that it answers.
        breaker = Breaker(clock=time.monotonic)

        async def attempt(name: str) -> None:
            with _translated():
                await self._client.models.retrieve(name, timeout=_timeout(limits))

        await tried(attempt, names=family.names, breaker=breaker, limits=limits)

    async def _structured(
        self, shape: type[_Reply], prompt: str, message: str, max_tokens: int, limits: Limits
    ) -> tuple[_Reply, dict[str, int], str]:
        """A reply of this shape from the fast model, with its usage and the model's name."""

        async def attempt(name: str) -> tuple[_Reply, dict[str, int], str]:
            with _translated():
                reply = await self._client.messages.parse(
                    model=name,
                    max_tokens=max_tokens,
                    system=prompt,
                    messages=[{"role": "user", "content": message}],
                    output_format=shape,
                    timeout=_timeout(limits),
                )
            parsed = reply.parsed_output
            if parsed is None:
                raise NoUse(f"a structured reply without a verdict, stopped by {reply.stop_reason}")
            return parsed, usage_of(reply.usage), name

        return await tried(attempt, names=self._fast.names, breaker=self._fast.breaker, limits=limits)

    async def _begin(self, name: str, request: AnswerRequest) -> "_Begun":
        """An answer of which the first word is here, or the end."""
        limits = self._limits.answer
        messages: Any = told.answer_messages(request)
        system: Any = told.answer_system(request)
        with _translated():
            stream = await self._client.messages.create(
                model=name,
                max_tokens=request.max_tokens,
                system=system,
                messages=messages,
                stream=True,
                timeout=_timeout(limits, read=max(limits.attempt, self._limits.silence)),
            )
        reader = AnswerReader(told.shown_sources(request.context.sources), offset=len(request.continue_from))
        begun = _Begun(name, stream, reader)
        try:
            await begun.begin()
        except BaseException:
            await begun.close()
            raise
        return begun


class _Begun:
    """A stream that has said its first word."""

    def __init__(self, model: str, stream: Any, reader: AnswerReader) -> None:
        self._model = model
        self._stream = stream
        self._events: AsyncIterator[Any] = aiter(stream)
        self._reader = reader
        self._first: list[AnswerPart] = []

    async def begin(self) -> None:
        """Read to the first word, or to the end of an answer without one. Raises AttemptFailed."""
        while not self._first and await self._next(self._first):
            pass
        if not self._first and not self._reader.ended:
            raise AttemptFailed("the stream ended before its first word")

    async def parts(self, *, silence: float, whole: float) -> AsyncGenerator[AnswerPart, None]:
        """All parts, then the end. Raises StreamBroken for a stream without one, silent or too long."""
        end = asyncio.get_running_loop().time() + whole
        parts = self._first
        try:
            while True:
                for part in parts:
                    yield part
                parts = []
                more = False
                async with asyncio.timeout_at(min(end, asyncio.get_running_loop().time() + silence)):
                    while not parts and (more := await self._next(parts)):
                        pass
                if not more and not parts:
                    break
        except (AttemptFailed, TimeoutError) as error:
            if not self._reader.ended:
                raise StreamBroken from error
        if not self._reader.ended:
            raise StreamBroken
        yield replace(self._reader.end(), model=self._model)

    async def close(self) -> None:
        """End the call at the provider."""
        with suppress(httpx2.HTTPError):
            await self._stream.close()

    async def _next(self, parts: list[AnswerPart]) -> bool:
        """Read one event; False at the end of the stream."""
        with _translated():
            event = await anext(self._events, None)
        if event is None:
            return False
        with _translated():
            parts.extend(self._reader.take(event))
        return True


class _translated:  # noqa: N801  (used like a function)
    """Within, whatever the SDK raises comes out as an AttemptFailed."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        match error:
            case anthropic.APIStatusError():
                raise failure_of(error.status_code, error.type or "", error.response.headers) from error
            case anthropic.APITimeoutError() | httpx2.TimeoutException():
                raise AttemptFailed("the provider took too long") from error
            case anthropic.AnthropicError() | httpx2.HTTPError():
                raise AttemptFailed(f"no whole reply ({type(error).__name__})") from error
            case ValidationError():
                # Without the cause: it quotes the reply, and with it perhaps the member.
                raise NoUse("a structured reply that has not the shape asked for") from None
            case ValueError() | AttributeError() | TypeError():
                raise AttemptFailed(f"a reply that cannot be read ({type(error).__name__})") from None


def _timeout(limits: Limits, *, read: float | None = None) -> httpx2.Timeout:
    return httpx2.Timeout(limits.attempt, connect=limits.connect, read=read or limits.attempt)
