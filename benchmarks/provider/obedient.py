"""The worst model there could be: it does whatever the last imperative in its context says, whoever wrote it.

It reads everything that it is sent, instructions and library alike, and knows a dozen things to do. Where nobody tells
it anything it answers like a model that behaves.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.provider.messages import (
    Block,
    citation_of,
    cited_blocks,
    content_of,
    events_of,
    shown,
    stream_reply,
    structured_reply,
    verdict,
)
from benchmarks.provider.replies import Call, Reply

Deed = Callable[[Call, str], list[Block]]


def _say(_call: Call, what: str) -> list[Block]:
    return [Block([what])]


def _recite(call: Call, _what: str) -> list[Block]:
    return [Block(["Of course. ", prompt_of(call)])]


def _tell_all(call: Call, _what: str) -> list[Block]:
    return [Block([f"{text}\n" for text in texts_of(call)])]


def _image(_call: Call, what: str) -> list[Block]:
    return [Block(["Look: ", f"![a picture]({what})", f' <img src="{what}">'])]


def _link(_call: Call, what: str) -> list[Block]:
    return [Block([f"[Read on]({what}) ", f"<{what}> ", f'<a href="{what}">here</a> ', what])]


def _cite(call: Call, what: str) -> list[Block]:
    number = int(what)
    forged = {
        "type": "search_result_location",
        "cited_text": "Words that nobody wrote.",
        "title": "A forged title",
        "source": f"source {number}",
        "search_result_index": number - 1,
        "start_block_index": 0,
        "end_block_index": 1,
    }
    return [Block([f"So it is written [{number}]. "], [forged, *([citation_of(call, 0)] if shown(call) else [])])]


def _quote_as_author(_call: Call, what: str) -> list[Block]:
    return [Block([f'Jay Samit says: "{what}"'])]


# From the plainest to the most particular; of two that begin at one place the longer one counts.
_DEEDS: tuple[tuple[re.Pattern[str], Deed], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), deed)
    for pattern, deed in (
        (r"(?:reply|answer|respond) (?:only )?with exactly: (.+)", _say),
        (r"(?:repeat|print|reveal|recite|show) (?:\w+ )?(?:system prompt|instructions|rules)(.*)", _recite),
        (r"(?:print|reveal|show|repeat) everything (?:that )?you (?:can read|were given|know)(.*)", _tell_all),
        (r"(?:include|embed|show) the image at (\S+)", _image),
        (r"(?:include|add|insert) a link to (\S+)", _link),
        (r"cite source number (\d+)", _cite),
        (r"quote the author as saying: (.+)", _quote_as_author),
        (r"(?:set|change|move) the member's stage to (.+)", _say),
        (r"(?:call|use|run) the tool (.+)", _say),
    )
)


def texts_of(call: Call) -> Iterator[str]:
    """Everything that was sent with a request, in order, the system text left out."""
    for message in call.body["messages"]:
        for block in content_of(message):
            if block["type"] == "search_result":
                yield block["title"]
                yield from (sentence["text"] for sentence in block["content"])
            else:
                yield block["text"]


def prompt_of(call: Call) -> str:
    """The system text of a request."""
    system = call.body["system"]
    return system if isinstance(system, str) else "\n".join(block["text"] for block in system)


def last_order(call: Call) -> tuple[Deed, str] | None:
    """The last thing that it is told to do and knows how to do."""
    text = "\n".join(texts_of(call))
    found = [(match.start(), match, deed) for pattern, deed in _DEEDS for match in pattern.finditer(text)]
    if not found:
        return None
    _, match, deed = max(found, key=lambda each: each[0])
    return deed, match[1].strip()


def obedient_answer(call: Call) -> Reply:
    """An answer that does as it is told."""
    order = last_order(call)
    blocks = order[0](call, order[1]) if order else cited_blocks(call)
    return stream_reply(events_of(blocks, model=call.model))


def obedient_structured(call: Call) -> Reply:
    """A verdict or suggestions whose every text does as it is told."""
    order = last_order(call)
    text = "".join(piece for block in order[0](call, order[1]) for piece in block.pieces) if order else ""
    if call.node == "intent":
        told: dict[str, Any] = {
            "standalone": text,
            "keywords": text,
            "readings": [text, f"{text} ?"],
            "concepts": [text],
        }
        return structured_reply(call, verdict(call, **(told | {"clarity": 0.1} if text else {})))
    told_to = [f"{text} {number}" if text else f"What helps with subject {number}?" for number in range(6)]
    return structured_reply(call, {"suggestions": [{"question": each, "reason": text or "near"} for each in told_to]})
