"""What a turn has come to so far: times, the answer as it grows, and in the end the record that is stored."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from pipeline import events
from pipeline.record import TurnRecord
from pipeline.turn import (
    AnswerEnd,
    AnswerPart,
    Citation,
    Context,
    Delta,
    Intent,
    Retrieval,
    Source,
    StopReason,
    Suggestions,
    TurnRequest,
)

_STATUS_OF_STOP = {StopReason.COMPLETE: "answered", StopReason.CUT: "cut", StopReason.REFUSED: "refused"}


class TurnState:
    """One turn under way. Only the run that drives the turn changes it."""

    def __init__(self, request: TurnRequest) -> None:
        self.request = request
        self.intent: Intent | None = None
        self.retrieval = Retrieval()
        self.context = Context()
        self.suggestions: Suggestions | None = None
        self.end: AnswerEnd | None = None
        self._text: list[str] = []
        self._citations: list[Citation] = []
        self._timings: dict[str, float] = {}
        self._began = time.monotonic()

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Measure what happens within as this node's time."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._timings[name] = _milliseconds_since(began)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds a node and a retrieval channel, to the first word, and in all."""
        channels = {f"retrieval.{name}": round(value, 1) for name, value in self.retrieval.timings.items()}
        return {**self._timings, **channels, "total": _milliseconds_since(self._began)}

    def take(self, part: AnswerPart) -> events.AnswerDelta | events.AnswerCitation | events.AnswerDone:
        """Keep a part of the answer and say it as an event."""
        match part:
            case Delta(text=text):
                self._timings.setdefault("first_word", _milliseconds_since(self._began))
                self._text.append(text)
                return events.AnswerDelta(text)
            case Citation():
                self._citations.append(part)
                return events.AnswerCitation(part.source, part.quote, part.start, part.end)
            case AnswerEnd():
                self.end = part
                return events.AnswerDone(part.stop_reason, part.sources_used)

    def unsaid(self) -> dict[str, Any]:
        """The fields to store, as far as they are known by now, that no event before the last one says."""
        intent = self.intent
        found: dict[str, Any] = {}
        if intent is not None:
            found["search"] = asdict(intent.search)
            found["concepts"] = self.context.concepts or intent.concepts
            found["needs_retrieval"] = intent.needs_retrieval
        return found | {
            "space": self.retrieval.space,
            "degraded": self.degraded(),
            "timings": self.timings,
            "usage": self.usage(),
            "prompts": self.prompts(),
        }

    def record(self) -> TurnRecord:
        """Everything that is stored of an answered turn. Needs the intent and the answer's end."""
        assert self.intent is not None
        assert self.end is not None
        intent = self.intent
        return TurnRecord(
            turn=self.request.turn,
            status=self._status(intent, self.end),
            intent=intent.kind,
            confidence=intent.confidence,
            clarity=intent.clarity,
            standalone_question=intent.standalone,
            care=intent.care,
            answer="".join(self._text),
            stop_reason=self.end.stop_reason,
            sources=tuple(source_body(source) for source in self.context.sources),
            citations=tuple(asdict(citation) for citation in self._citations),
            sources_used=self.end.sources_used,
            suggestions=self.suggestion_bodies(),
            **self.unsaid(),
        )

    def suggestion_bodies(self) -> tuple[Mapping[str, str], ...]:
        """The suggestions as `{text, reason}`."""
        items = self.suggestions.items if self.suggestions else ()
        return tuple({"text": item.text, "reason": item.reason} for item in items)

    def degraded(self) -> tuple[str, ...]:
        """The parts that answered with less than their best, in the order of the path."""
        names = ["intent"] if self.intent and self.intent.degraded else []
        names.extend(self.retrieval.degraded)
        names.extend(["response"] if self.end and self.end.degraded else [])
        names.extend(["suggestions"] if self.suggestions and self.suggestions.degraded else [])
        return tuple(names)

    def usage(self) -> dict[str, dict[str, int | str]]:
        """Tokens a node and the model they were spent on, for the nodes that spent any."""
        nodes = {"intent": self.intent, "response": self.end, "suggestions": self.suggestions}
        return {
            name: {**value.usage, **({"model": value.model} if value.model else {})}
            for name, value in nodes.items()
            if value and value.usage
        }

    def prompts(self) -> dict[str, str]:
        """The version of the prompt that each node used."""
        nodes = {"intent": self.intent, "response": self.end, "suggestions": self.suggestions}
        return {name: value.prompt_version for name, value in nodes.items() if value and value.prompt_version}

    def _status(self, intent: Intent, end: AnswerEnd) -> str:
        answered = end.stop_reason is StopReason.COMPLETE
        if answered and intent.needs_retrieval and not intent.care and not self._citations:
            return "not_covered"
        return _STATUS_OF_STOP[end.stop_reason]


def source_body(source: Source) -> dict[str, Any]:
    """A numbered source as clients get it."""
    return {
        "number": source.number,
        "document": source.document,
        "chunk": source.chunk,
        "title": source.title,
        "authority": source.authority,
        "content_type": source.content_type,
        "locator": dict(source.locator),
        "excerpt": source.excerpt,
        "link": source.link,
    }


def _milliseconds_since(began: float) -> float:
    return round((time.monotonic() - began) * 1000, 1)
