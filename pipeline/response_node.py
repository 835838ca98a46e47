"""The response node: the grounded answer as it streams, every citation checked before it goes out."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from pipeline.care import shipped_help_text
from pipeline.errors import ModelUnavailable, StreamBroken
from pipeline.leaks import PromptGuard
from pipeline.llm.model import AnswerRequest, LanguageModel
from pipeline.outgoing import Mark, OutgoingText
from pipeline.prompts import prompt_of
from pipeline.quotations import best_sentence, by_number, checked_quote
from pipeline.turn import AnswerEnd, AnswerPart, Citation, Context, Delta, Intent, Source, StopReason, TurnRequest

HELP_LINE_SECONDS = 2.0


async def respond(
    *,
    request: TurnRequest,
    intent: Intent,
    context: Context,
    model: LanguageModel,
    local: LanguageModel,
    help_line: Callable[[str], Awaitable[str]],
) -> AsyncGenerator[AnswerPart, None]:
    """Deltas and citations, then one AnswerEnd.

    In danger the help lines and nothing else. Without any source no model is asked: it says so. A model that fails
    before its first part gives way to the local one; StreamBroken is raised when it breaks off later.
    """
    if intent.care:
        yield Delta(await _help_text(request.member.country, help_line))
        yield AnswerEnd(StopReason.COMPLETE)
        return
    if intent.needs_retrieval and not context.sources:
        yield Delta(_not_covered(context))
        yield AnswerEnd(StopReason.COMPLETE)
        return
    prompt = prompt_of("response")
    ask = AnswerRequest(
        question=request.question,
        standalone=intent.standalone,
        intent=intent.kind,
        context=context,
        memory=request.memory,
        member=request.member,
        prompt=prompt.text,
        needs_retrieval=intent.needs_retrieval,
        continue_from=request.continue_from,
    )
    async with aclosing(_written(ask, model, local)) as parts:
        async for part in parts:
            yield replace(part, prompt_version=prompt.version) if isinstance(part, AnswerEnd) else part


async def _written(ask: AnswerRequest, model: LanguageModel, local: LanguageModel) -> AsyncGenerator[AnswerPart, None]:
    """The model's checked answer, or the local one's where the model does not begin."""
    if ask.continue_from:
        yield Delta(ask.continue_from)
    begun = False
    try:
        async with aclosing(_checked(ask, model)) as parts:
            async for part in parts:
                begun = True
                yield part
        return
    except (ModelUnavailable, StreamBroken) as error:
        # What was still held back when a stream broke was never shown.
        if begun or model is local:
            raise StreamBroken from error
    async with aclosing(_checked(ask, local)) as parts:
        async for part in parts:
            yield replace(part, degraded=True) if isinstance(part, AnswerEnd) else part


async def _checked(ask: AnswerRequest, model: LanguageModel) -> AsyncGenerator[AnswerPart, None]:
    """What a model writes as it may go out: text held back where it must be, citations with their place in the text."""
    desk = _Desk(ask)
    async with aclosing(model.answer(ask)) as parts:
        async for part in parts:
            end = part if isinstance(part, AnswerEnd) else None
            for checked in desk.close() if end else desk.take(part):
                yield checked
            if desk.recited:
                # Somebody's text has talked the model into reciting its prompt: it ends here, and so does the call.
                end = AnswerEnd(StopReason.REFUSED)
            if end:
                yield desk.end(end)
                return
    raise StreamBroken


class _Desk:
    """Where the parts of one answer are checked on their way out."""

    def __init__(self, ask: AnswerRequest) -> None:
        self._sources: dict[int, Source] = by_number(ask.context.sources)
        self._outgoing = OutgoingText(ask.context.sources, sent=ask.continue_from)
        self._guard = PromptGuard(ask.prompt)
        self.recited = False
        self._began_at = len(ask.continue_from)
        self._waiting: list[Citation] = []
        self._used: set[int] = set()

    def take(self, part: AnswerPart) -> list[AnswerPart]:
        """What may go out now."""
        if isinstance(part, Delta):
            text, self.recited = self._guard.feed(part.text)
            return [*self._said(self._outgoing.feed(text)), *self._due()]
        if isinstance(part, Citation):
            self._waiting.append(part)
        return self._due()

    def close(self) -> list[AnswerPart]:
        """What was held back until the end."""
        text, self.recited = self._guard.close()
        said = [*self._outgoing.feed(text), *([] if self.recited else self._outgoing.close())]
        return [*self._said(said), *self._due()]

    def end(self, end: AnswerEnd) -> AnswerEnd:
        """The end as it goes out: with the sources that were really cited; an answer without words is empty."""
        blank = not self._outgoing.text[self._began_at :].strip()
        reason = StopReason.EMPTY if blank and end.stop_reason is not StopReason.REFUSED else end.stop_reason
        return replace(end, stop_reason=reason, sources_used=tuple(sorted(self._used)))

    def _said(self, pieces: Sequence[str | Mark]) -> list[AnswerPart]:
        parts: list[AnswerPart] = []
        for piece in pieces:
            if isinstance(piece, str):
                parts.append(Delta(piece))
                continue
            quote = best_sentence(piece.claim, self._sources[piece.source].text)
            parts.extend(self._cited(Citation(piece.source, quote, piece.start, piece.end)))
        return parts

    def _due(self) -> list[AnswerPart]:
        """The model's citations whose text has gone out, placed in it."""
        due = [citation for citation in self._waiting if citation.end <= self._outgoing.settled]
        self._waiting = [citation for citation in self._waiting if citation.end > self._outgoing.settled]
        place = self._outgoing.place
        return [
            part
            for citation in due
            for part in self._cited(replace(citation, start=place(citation.start), end=place(citation.end)))
        ]

    def _cited(self, citation: Citation) -> list[AnswerPart]:
        source = self._sources.get(citation.source)
        if source is None or citation.start >= citation.end or not checked_quote(citation.quote, source):
            return []
        self._used.add(citation.source)
        return [citation]


async def _help_text(country: str, help_line: Callable[[str], Awaitable[str]]) -> str:
    try:
        async with asyncio.timeout(HELP_LINE_SECONDS):
            return await help_line(country) or shipped_help_text(country)
    except Exception:  # noqa: BLE001 (whatever fails on the way to the stored text, the help must be given)
        return shipped_help_text(country)


def _not_covered(context: Context) -> str:
    said = "I found nothing about this in the library, and I would rather not make something up."
    return f"{said} The nearest thing it covers is {context.nearest}." if context.nearest else said
