"""What Claude is told, as the Messages API takes it (pure): the prompt, the conversation, the sources, the question.

The prompt stands first and alone in the system text, so that it can be cached; what changes from member to member
comes after it. Whatever was not written by us is data: in a block of its own, or between delimiters that it cannot
close.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpus.taxonomy import AUTHORITY_LABELS
from pipeline.llm.model import AnswerRequest, SuggestionRequest
from pipeline.sentences import sentences_of
from pipeline.turn import MemberContext, MemoryTurn, Source, TurnRequest

Block = dict[str, Any]

_TITLE_LIMIT = 200
_TITLES_NAMED = 12
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_CACHED = {"type": "ephemeral"}
_GO_ON = (
    "Your answer was cut off by its length limit. Go on at the very character where it broke off, from the same "
    "sources. Do not repeat anything, and do not begin anew."
)
_DOUBTFUL = "The search found little that speaks to this question. It may be that the sources do not answer it."


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source as Claude gets it: one text block a sentence. Citations name source and blocks by their place."""

    number: int
    sentences: tuple[str, ...]


def shown_sources(sources: Sequence[Source]) -> tuple[ShownSource, ...]:
    """The sources in the order they are sent in; one without a word is left out."""
    shown = (ShownSource(source.number, tuple(sentences_of(source.text))) for source in sources)
    return tuple(source for source in shown if source.sentences)


def answer_system(request: AnswerRequest) -> list[Block]:
    """The prompt, cached, and who is asking."""
    system: list[Block] = [{"type": "text", "text": request.prompt, "cache_control": _CACHED}]
    if about := _about(request.member):
        system.append({"type": "text", "text": about})
    return system


def answer_messages(request: AnswerRequest) -> list[Block]:
    """The conversation: earlier turns, then the sources with the question; the answer so far, where it goes on."""
    asked: list[Block] = [_search_result(source) for source in request.context.sources if source.text.strip()]
    if request.context.relationships and asked:
        lines = "\n".join(_plain(line) for line in request.context.relationships)
        asked.append(_text(f"<relations>\n{lines}\n</relations>"))
    if asked and not request.context.covered:
        asked.append(_text(_DOUBTFUL))
    asked.append(_text(_question(request.question, request.standalone)))
    messages = [*_earlier(request.memory), {"role": "user", "content": asked}]
    if request.continue_from.strip():
        messages.append({"role": "assistant", "content": request.continue_from.rstrip()})
        messages.append({"role": "user", "content": _GO_ON})
    return messages


def intent_message(request: TurnRequest) -> str:
    """The question with what was said before, for the model that finds the intent."""
    parts = []
    if request.memory:
        turns = "\n".join(_remembered(turn) for turn in request.memory)
        parts.append(f"<earlier_turns>\n{turns}\n</earlier_turns>")
    if request.answers is not None:
        parts.append(f"<clarification>\n{_remembered(request.answers)}\n</clarification>")
    parts.append(f"<question>\n{neutral(request.question)}\n</question>")
    return "\n\n".join(parts)


def suggestions_message(request: SuggestionRequest) -> str:
    """What the model builds follow-up questions from: titles and concepts, no text of the library."""
    titles = dict.fromkeys(_plain(source.title) for source in request.context.sources)
    asked = dict.fromkeys(_plain(text) for text in request.asked)
    parts = [
        _named("concepts", [_plain(name) for name in request.concepts][:_TITLES_NAMED]),
        _named("sources", list(titles)[:_TITLES_NAMED]),
        _named("asked_before", list(asked)),
        _about(request.member),
        f"<question>\n{neutral(request.standalone)}\n</question>",
    ]
    return "\n\n".join(part for part in parts if part)


def neutral(text: str) -> str:
    """The text unable to open or close a delimiter: what would begin a tag begins none. Same length, same words."""
    return _TAG.sub("‹", text)


def _search_result(source: Source) -> Block:
    """One source; its title says how far it may be trusted and where it stands."""
    label = AUTHORITY_LABELS[source.authority].split(":")[0].lower()
    place = [*source.heading_path, *(f"{name} {value}" for name, value in source.locator.items())]
    title = "; ".join([_plain(source.title), f"{label} source", *(_plain(part) for part in place)])
    return {
        "type": "search_result",
        "source": f"source {source.number}",
        "title": title,
        "content": [_text(neutral(sentence)) for sentence in sentences_of(source.text)],
        "citations": {"enabled": True},
    }


def _earlier(memory: Sequence[MemoryTurn]) -> list[Block]:
    """Earlier turns as a conversation. A blank message would make the API refuse every later question."""
    messages: list[Block] = []
    for turn in memory:
        question, said = turn.question.strip(), _said(turn)
        if question and said:
            messages.append({"role": "user", "content": neutral(question)})
            messages.append({"role": "assistant", "content": neutral(said)})
    return messages


def _said(turn: MemoryTurn) -> str:
    return (turn.clarification if turn.status == "clarified" else turn.answer).strip()


def _remembered(turn: MemoryTurn) -> str:
    asks = "asked_back" if turn.status == "clarified" else "answer"
    return f"<turn>\n<question>{neutral(turn.question)}</question>\n<{asks}>{neutral(_said(turn))}</{asks}>\n</turn>"


def _question(question: str, standalone: str) -> str:
    asked = f"<question>\n{neutral(question)}\n</question>"
    if standalone.strip() in ("", question.strip()):
        return asked
    return f"{asked}\n<meant>\n{neutral(standalone)}\n</meant>"


def _about(member: MemberContext) -> str:
    lines = []
    if member.stage_name:
        lines.append(f"stage: {_plain(member.stage_name)}. {_plain(member.stage_framing)}".strip())
    if member.country:
        lines.append(f"country: {_plain(member.country)}")
    return _named("member", lines)


def _named(name: str, lines: Sequence[str]) -> str:
    return f"<{name}>\n" + "\n".join(lines) + f"\n</{name}>" if lines else ""


def _plain(text: str) -> str:
    """One short line."""
    return neutral(" ".join(text.split()))[:_TITLE_LIMIT]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
