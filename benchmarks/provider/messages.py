"""The Messages API: whole replies, and streams event by event."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.provider.replies import Call, Reply, Step, error_reply, json_reply

USAGE = {"input_tokens": 900, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 1_100}


@dataclass(frozen=True, slots=True)
class Block:
    """One content block: its text in pieces, and what it cites."""

    pieces: Sequence[str]
    citations: Sequence[Mapping[str, Any]] = ()
    kind: str = "text"


def sse(kind: str, **data: Any) -> bytes:
    """One event on the wire."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()


def events_of(
    blocks: Iterable[Block], *, stop_reason: str | None = "end_turn", model: str = "claude-sonnet-4-5"
) -> list[bytes]:
    """The events of a whole answer; without a stop reason it just ends after its last block."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []}
    events = [sse("message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": USAGE})]
    events.append(sse("ping"))
    for index, block in enumerate(blocks):
        events.extend(_block_events(index, block))
    if stop_reason is not None:
        events.append(
            sse(
                "message_delta",
                delta={"stop_reason": stop_reason, "stop_sequence": None},
                usage={"output_tokens": 120},
            )
        )
        events.append(sse("message_stop"))
    return events


def _block_events(index: int, block: Block) -> list[bytes]:
    thinking = block.kind == "thinking"
    start = {"type": "thinking", "thinking": "", "signature": ""} if thinking else {"type": "text", "text": ""}
    events = [sse("content_block_start", index=index, content_block=start)]
    for piece in block.pieces:
        delta = {"type": "thinking_delta", "thinking": piece} if thinking else {"type": "text_delta", "text": piece}
        events.append(sse("content_block_delta", index=index, delta=delta))
    for citation in block.citations:
        events.append(
            sse("content_block_delta", index=index, delta={"type": "citations_delta", "citation": dict(citation)})
        )
    events.append(sse("content_block_stop", index=index))
    return events


def stream_reply(
    steps: Sequence[Step], *, before: float = 0.0, cut_at: int | None = None, cleanly: bool = False
) -> Reply:
    """A stream of these events and pauses."""
    headers = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
    return Reply(200, headers, steps, before, cut_at, cleanly)


def text_stream(*pieces: str, stop_reason: str | None = "end_turn") -> Reply:
    """An answer of one block that cites nothing."""
    return stream_reply(events_of([Block(pieces)], stop_reason=stop_reason))


def shown(call: Call) -> list[Mapping[str, Any]]:
    """The search results of a request, in order."""
    blocks = [block for message in call.body["messages"] for block in content_of(message)]
    return [block for block in blocks if block.get("type") == "search_result"]


def citation_of(call: Call, index: int, first: int = 0, last: int | None = None) -> dict[str, Any]:
    """A citation of blocks [first, last) of a search result, as the API gives it."""
    result = shown(call)[index]
    until = first + 1 if last is None else last
    return {
        "type": "search_result_location",
        "cited_text": "".join(block["text"] for block in result["content"][first:until]),
        "title": result["title"],
        "source": result["source"],
        "search_result_index": index,
        "start_block_index": first,
        "end_block_index": until,
    }


def cited_blocks(call: Call) -> list[Block]:
    """An answer that retells the first sentence of each source and cites it."""
    blocks = [Block(["Here is ", "what I found. "])]
    for index, result in enumerate(shown(call)):
        sentence = result["content"][0]["text"]
        words = sentence.split(" ")
        pieces = [" ".join(words[at : at + 4]) + " " for at in range(0, len(words), 4)]
        blocks.append(Block(pieces, [citation_of(call, index)]))
    return blocks


def answer_reply(call: Call) -> Reply:
    """An answer that cites every source."""
    return stream_reply(events_of(cited_blocks(call), model=call.model))


def structured_reply(call: Call, body: object, *, stop_reason: str = "end_turn", before: float = 0.0) -> Reply:
    """A whole reply whose text is this JSON, or this very text."""
    text = body if isinstance(body, str) else json.dumps(body)
    content = [{"type": "text", "text": text}] if text else []
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": call.model, "content": content}
    return json_reply({**message, "stop_reason": stop_reason, "stop_sequence": None, "usage": USAGE}, before=before)


def verdict(call: Call, **fields: object) -> dict[str, object]:
    """A sure verdict about the question of a request."""
    question = question_of(call)
    plain = {
        "intent": "exploration",
        "confidence": 0.95,
        "clarity": 0.95,
        "standalone": question,
        "keywords": question,
        "texts": [{"text": question, "weight": 1.0}],
        "concepts": [],
        "needs_retrieval": True,
        "refers_to_absent": False,
        "readings": [],
        "care": False,
    }
    return {**plain, **fields}


def intent_reply(call: Call) -> Reply:
    """A sure verdict."""
    return structured_reply(call, verdict(call))


def suggestions_reply(call: Call) -> Reply:
    """Six follow-up questions."""
    subjects = ("mentors", "courage", "first customers", "savings", "old habits", "good endings")
    asked = [{"question": f"What helps with {subject}?", "reason": "it lies near"} for subject in subjects]
    return structured_reply(call, {"suggestions": asked})


def model_reply(call: Call) -> Reply:
    """That the model is there."""
    return json_reply(
        {"type": "model", "id": call.model, "display_name": call.model, "created_at": "2025-09-29T00:00:00Z"}
    )


def only_models(*names: str) -> Any:
    """A provider that knows these models only; calls for others end in 404, these are played by what is wrapped."""

    def wrapped(play: Any) -> Any:
        def reply(call: Call) -> Reply:
            if call.model not in names:
                return error_reply(404, "not_found_error")
            found: Reply = play(call)
            return found

        return reply

    return wrapped


def question_of(call: Call) -> str:
    """The member's question in a request."""
    text = "".join(block.get("text", "") for message in call.body["messages"][-1:] for block in content_of(message))
    return text.rpartition("<question>\n")[2].partition("\n</question>")[0]


def content_of(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The content blocks of a message of a request."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
