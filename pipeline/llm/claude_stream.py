"""From the events of a Messages stream to the parts of an answer (pure).

A citation arrives with the text block it belongs to, and that block is its span. Blank text is held back until words
follow, so that an answer without words shows nothing.
"""

import logging
from collections.abc import Sequence
from typing import Any

from pipeline.llm.claude_request import ShownSource, neutral
from pipeline.quotations import best_sentence
from pipeline.turn import AnswerEnd, AnswerPart, Citation, Delta, StopReason

logger = logging.getLogger(__name__)

_QUOTE_LIMIT = 400
_ENDINGS = {
    "end_turn": StopReason.COMPLETE,
    "stop_sequence": StopReason.COMPLETE,
    "refusal": StopReason.REFUSED,
    "max_tokens": StopReason.CUT,
    "model_context_window_exceeded": StopReason.CUT,
}


class AnswerReader:
    """Reads one stream. Positions count in code points from the start of the whole answer, `offset` included."""

    def __init__(self, sources: Sequence[ShownSource], *, offset: int = 0) -> None:
        self._sources = sources
        self._at = offset
        self._blank = ""
        self._begun = False
        self._block = ""
        self._block_at = offset
        self._cited: list[Any] = []
        self._stop_reason = ""
        self._usage: dict[str, int] = {}

    @property
    def ended(self) -> bool:
        """Whether the model has said why it stopped: then all its text is here, whatever becomes of the stream."""
        return bool(self._stop_reason)

    def take(self, event: Any) -> list[AnswerPart]:
        """What this event adds to the answer. Events and blocks of unknown kinds add nothing."""
        match getattr(event, "type", ""):
            case "message_start":
                self._count(event.message.usage)
            case "content_block_start":
                self._block, self._block_at, self._cited = "", self._at, []
                if event.content_block.type == "text":
                    return self._say(event.content_block.text or "")
            case "content_block_delta":
                return self._delta(event.delta)
            case "content_block_stop":
                return self._citations()
            case "message_delta":
                self._count(event.usage)
                self._stop_reason = event.delta.stop_reason or self._stop_reason
        return []

    def end(self) -> AnswerEnd:
        """How the answer ended: empty when no word came, unless the model refused."""
        reason = _ENDINGS.get(self._stop_reason, StopReason.CUT)
        if not self._begun and reason is not StopReason.REFUSED:
            reason = StopReason.EMPTY
        return AnswerEnd(reason, usage=dict(self._usage))

    def _delta(self, delta: Any) -> list[AnswerPart]:
        if delta.type == "text_delta":
            return self._say(delta.text)
        if delta.type == "citations_delta":
            self._cited.append(delta.citation)
        return []

    def _say(self, text: str) -> list[AnswerPart]:
        self._block += text
        self._at += len(text)
        if not self._begun and not (self._blank + text).strip():
            self._blank += text
            return []
        said, self._blank, self._begun = self._blank + text, "", True
        return [Delta(said)] if said else []

    def _citations(self) -> list[AnswerPart]:
        """The citations of the block that has ended, for its text without the white space around it."""
        start = self._block_at + len(self._block) - len(self._block.lstrip())
        end = self._block_at + len(self._block.rstrip())
        cited, self._cited = self._cited, []
        if start >= end:
            return []
        found = (self._citation(citation, start, end) for citation in cited)
        return list(dict.fromkeys(citation for citation in found if citation is not None))

    def _citation(self, cited: Any, start: int, end: int) -> Citation | None:
        """What Claude cites, in our own words of the source; None for what was never shown to it."""
        if cited.type != "search_result_location":
            return None
        if not 0 <= cited.search_result_index < len(self._sources):
            logger.warning("A citation names a source that was not shown.")
            return None
        source = self._sources[cited.search_result_index]
        sentences = source.sentences[max(0, cited.start_block_index) : max(0, cited.end_block_index)]
        if not sentences or not _same(cited.cited_text, sentences):
            logger.warning("A citation quotes what its source does not say.")
            return None
        quote = " ".join(sentences)
        if len(quote) > _QUOTE_LIMIT:
            quote = best_sentence(self._block, quote)
        return Citation(source.number, quote, start, end)

    def _count(self, usage: Any) -> None:
        self._usage |= usage_of(usage)


def usage_of(usage: Any) -> dict[str, int]:
    """The tokens a reply cost, by kind; what a provider leaves out is left out."""
    names = {
        "input_tokens": "input_tokens",
        "output_tokens": "output_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
    }
    found = {ours: getattr(usage, theirs, None) for ours, theirs in names.items()}
    return {name: count for name, count in found.items() if isinstance(count, int)}


def _same(cited: str, sentences: Sequence[str]) -> bool:
    """Whether the cited text is that of the blocks it names, as they were sent."""
    return "".join(cited.split()) == "".join("".join(neutral(sentence).split()) for sentence in sentences)
