"""What the turns of the browser tests say: the first word of a question chooses."""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.chat.payloads import BATCHES

DOCUMENT = "5e0c8a1e-0000-4000-8000-000000000001"
CHUNK = "5e0c8a1e-0000-4000-8000-000000000002"
FOLLOWING = "5e0c8a1e-0000-4000-8000-000000000003"
GONE = "5e0c8a1e-0000-4000-8000-00000000dead"
QUOTE = "Every obstacle is an opportunity."
OTHER_QUOTE = "She kept her job until the third customer."

Source = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """A turn in the order in which it is told."""

    parts: tuple[str, ...] = ("Begin with **what you know.** ", "Then try it 😀 small.\n\n", "- one\n- two\n")
    sources: tuple[Source, ...] = ()
    spans: tuple[tuple[int, str, str], ...] = ((1, QUOTE, "Begin with **what you know.**"),)
    """Citations: source, quoted words, the span of the answer that rests on them."""
    suggestions: tuple[dict[str, str], ...] = ({"text": "What comes next?", "reason": "It follows."},)
    options: tuple[str, ...] = ()
    waits: bool = False
    status: str = "answered"
    stop_reason: str = "complete"
    degraded: tuple[str, ...] = ()
    breaks: bool = False
    care: bool = False

    @property
    def answer(self) -> str:
        return "".join(self.parts)

    @property
    def citations(self) -> tuple[dict[str, Any], ...]:
        """The spans with their places in the answer."""
        found = []
        for source, quote, span in self.spans:
            start = self.answer.index(span)
            found.append({"source": source, "quote": quote, "start": start, "end": start + len(span)})
        return tuple(found)

    @property
    def used(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(source for source, _, _ in self.spans))


def source_of(number: int, title: str, authority: str = "primary", **more: Any) -> Source:
    """A numbered source."""
    source = {
        "number": number,
        "document": DOCUMENT,
        "chunk": CHUNK,
        "title": title,
        "authority": authority,
        "content_type": "book_chapter",
        "locator": {"chapter": "3"},
        "excerpt": QUOTE,
        "link": "",
    }
    return source | more


TWO = (source_of(1, "Disrupt You"), source_of(2, "Beside", "supporting"))

LONG = (
    "The first step is smaller than most people think, and that is why it is so often missed by those who wait for a "
    "plan that covers everything from the first morning to the last. Talk for half an hour with somebody who does the "
    "work already, and ask whether you may watch a day of theirs before anything is decided."
)

RICH = Played(
    parts=(
        f"## Where to begin\n\n{LONG} ",
        "Write down *three* things that came easily, with the evening on which they did.\n\n",
        "1. Choose **one** person to ask.\n2. Ask within the week.\n\n",
        "One member tried this and kept her job meanwhile.\n\n",
        "| When | What |\n|---|---|\n| Monday | a call |\n\n> A small trial beats a large plan.\n",
    ),
    sources=(
        source_of(1, "Disrupt You"),
        source_of(2, "The third customer", "supplementary", content_type="case_study", locator={"page": "12"}),
        source_of(3, "A gardener's year", "illustrative", content_type="example", link="https://example.org/garden"),
        source_of(4, "Work after fifty, in figures", "supporting", content_type="article", document=GONE),
    ),
    spans=((1, QUOTE, LONG), (2, OTHER_QUOTE, "One member tried this and kept her job meanwhile.")),
    suggestions=(
        {"text": "Whom should I ask first?", "reason": "because “weak ties” belong to this"},
        {"text": "How do I test an idea in a weekend?", "reason": "because you are exploring"},
        {"text": "Who has done this before me?", "reason": "a case study was among the sources"},
    ),
)


@dataclass(frozen=True)
class _Kinds:
    """Turns by the first word of their question."""

    known: dict[str, Played] = field(
        default_factory=lambda: {
            "slow": Played(sources=TWO, waits=True),
            "rich": RICH,
            "slowly": Played(**{**RICH.__dict__, "waits": True}),
            "unclear": Played(options=("The job", "The plan")),
            "breaks": Played(sources=TWO, breaks=True),
            "cut": Played(sources=TWO, status="cut", stop_reason="cut"),
            "poorly": Played(sources=TWO, degraded=("graph", "response")),
            "uncovered": Played(
                parts=("The library says nothing about this.",), spans=(), suggestions=(), status="not_covered"
            ),
        }
    )


_KINDS = _Kinds().known


def played(question: str) -> Played:
    """The turn that answers this question."""
    words = re.findall(r"\w+", question)
    if words[:1] == ["payloads"]:
        return _hostile(BATCHES[int(words[1])])
    return _KINDS.get(words[0] if words else "", Played(sources=TWO))


def _hostile(payloads: tuple[str, ...]) -> Played:
    """Every payload as text, source, quoted words, link, place, suggestion and reason."""
    return Played(
        parts=tuple(f"{payload}\n\n" for payload in payloads),
        sources=tuple(
            source_of(number, payload, content_type=payload, excerpt=payload, link=payload, locator={payload: payload})
            for number, payload in enumerate(payloads, start=1)
        ),
        spans=tuple((number, payload, payload) for number, payload in enumerate(payloads, start=1)),
        suggestions=tuple({"text": payload, "reason": payload} for payload in payloads),
    )
