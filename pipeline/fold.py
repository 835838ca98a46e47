"""What the events of a turn add up to so far (pure): for a stop, a failure, a take-over, and who asks meanwhile."""

from collections.abc import Mapping
from typing import Any

from pipeline import events

ANSWER_MAX_BYTES = 65_536


class Fold:
    """The fields of a turn as its events have shown them. Feed it every event in order, by type and data."""

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self._text: list[str] = []
        self._bytes = 0

    @property
    def answer(self) -> str:
        """The answer so far."""
        return "".join(self._text)

    def room_for(self, text: str) -> str:
        """As much of the text, from its start, as the answer still has room for."""
        left = max(0, ANSWER_MAX_BYTES - self._bytes)
        encoded = text.encode()
        return text if len(encoded) <= left else encoded[:left].decode(errors="ignore")

    def take(self, kind: str, data: Mapping[str, Any]) -> None:
        """Add one event. Types that carry no field of the turn change nothing."""
        match kind:
            case events.AnswerDelta.type:
                self._text.append(data["text"])
                self._bytes += len(data["text"].encode())
            case events.IntentFound.type:
                self.fields.update(data)
            case events.SourcesFound.type | events.AnswerDone.type | events.SuggestionsReady.type:
                self.fields.update(data)
            case events.AnswerCitation.type:
                self.fields["citations"] = [*self.fields.get("citations", ()), dict(data)]
            case events.ClarificationAsked.type:
                self.fields["clarification"] = dict(data)
            case events.TurnSnapshot.type:
                self._restart(data)

    def stored(self) -> dict[str, Any]:
        """The fields to store with an ending that no node made."""
        return {**self.fields, "answer": self.answer}

    def over(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body of a turn under way with what is known of it so far; only what the body names is filled in."""
        return {**body, **{name: value for name, value in self.stored().items() if name in body}}

    def _restart(self, body: Mapping[str, Any]) -> None:
        self.fields = {name: body[name] for name in _FIELDS if body.get(name) not in (None, "", [], ())}
        self._text = [body.get("answer", "")]
        self._bytes = len(self._text[0].encode())


_FIELDS = (
    "intent",
    "confidence",
    "clarity",
    "standalone_question",
    "care",
    "clarification",
    "sources",
    "citations",
    "sources_used",
    "suggestions",
    "stop_reason",
)
