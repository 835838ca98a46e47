"""Labelled questions of members: one JSON object a line, with what each wants and whether it is to be asked back about.

    {"id", "text", "intent", "acceptable": [...], "needs_clarification", "history": [{"question", "answer"}, ...],
     "standalone", "small_talk"}

Only `id`, `text` and `intent` have to be there. The files measure; nothing is learned from them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.turn import IntentKind

_CITED = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier turn as it stands in a file: what was asked and what came."""

    question: str
    answer: str

    @property
    def asks_back(self) -> bool:
        """Whether the answer is a question back: it ends with a question mark and rests on no source."""
        return self.answer.rstrip().endswith("?") and not _CITED.search(self.answer)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question with its labels."""

    id: str
    text: str
    intent: IntentKind
    acceptable: frozenset[IntentKind]
    needs_clarification: bool
    history: tuple[Earlier, ...]
    standalone: str
    small_talk: bool


def questions_read(path: Path) -> list[Labelled]:
    """The questions of a file, in its order. Raises ValueError with the line that is none."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                found.append(_labelled(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ValueError(f"{path.name}, line {number} is no labelled question: {error!r}") from error
    return found


def _labelled(row: Mapping[str, Any]) -> Labelled:
    return Labelled(
        id=str(row["id"]),
        text=str(row["text"]),
        intent=IntentKind(row["intent"]),
        acceptable=frozenset(map(IntentKind, row.get("acceptable", ()))),
        needs_clarification=bool(row.get("needs_clarification", False)),
        history=tuple(Earlier(turn["question"], turn.get("answer", "")) for turn in row.get("history", ())),
        standalone=str(row.get("standalone") or row["text"]),
        small_talk=bool(row.get("small_talk", False)),
    )
