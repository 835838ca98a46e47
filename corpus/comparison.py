"""A document's live text beside one that waits to be published, chunk by chunk and word by word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Protocol

from corpus.models import Chunk, Ingestion

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


class Text(Protocol):
    """A chunk, live or waiting."""

    ordinal: int
    heading_path: list[str]
    text: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a text that both have, or only one."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A chunk beside its successor; either may be missing. Before it `unchanged` chunks are the same in both."""

    before: Text | None
    after: Text | None
    unchanged: int

    @property
    def runs(self) -> tuple[list[Run], list[Run]]:
        """Both texts in stretches, told apart by what the other lacks."""
        before = _WORDS.findall(self.before.text) if self.before else []
        after = _WORDS.findall(self.after.text) if self.after else []
        steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        return (
            [Run("".join(before[start:end]), kind != "equal") for kind, start, end, _, _ in steps if end > start],
            [Run("".join(after[start:end]), kind != "equal") for kind, _, _, start, end in steps if end > start],
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every change in reading order, and how many unchanged chunks follow the last."""

    changes: Sequence[Change]
    unchanged_after: int


def compare(ingestion: Ingestion) -> Comparison:
    """How an ingestion's staged text differs from the live one."""
    live = list(Chunk.objects.filter(document=ingestion.document_id).order_by("ordinal"))
    return compare_texts(live, list(ingestion.staged_chunks.order_by("ordinal")))


def compare_texts(before: Sequence[Text], after: Sequence[Text]) -> Comparison:
    """The changes from one list of chunks to another, aligned by their content."""
    changes: list[Change] = []
    unchanged = 0
    hashes = [chunk.content_hash for chunk in before], [chunk.content_hash for chunk in after]
    for kind, start, end, new_start, new_end in SequenceMatcher(None, *hashes, autojunk=False).get_opcodes():
        if kind == "equal":
            unchanged += end - start
            continue
        for old, new in _side_by_side(before[start:end], after[new_start:new_end]):
            changes.append(Change(old, new, unchanged))
            unchanged = 0
    return Comparison(changes, unchanged)


def _side_by_side(before: Sequence[Text], after: Sequence[Text]) -> Iterator[tuple[Text | None, Text | None]]:
    """In order, those under the same heading beside each other; what has no counterpart alone."""
    headings = [tuple(chunk.heading_path) for chunk in before], [tuple(chunk.heading_path) for chunk in after]
    for kind, start, end, new_start, new_end in SequenceMatcher(None, *headings, autojunk=False).get_opcodes():
        if kind in ("equal", "replace"):
            yield from zip_longest(before[start:end], after[new_start:new_end])
        else:
            yield from ((chunk, None) for chunk in before[start:end])
            yield from ((None, chunk) for chunk in after[new_start:new_end])
