"""Whether suggestions hold what they promise: `python -m benchmarks.suggestions [--turns N --seed N --json]`.

Questions made of the library's concepts and documents are asked as first turns of conversations, through the whole
pipeline on local adapters. Then every suggestion that was shown is asked in its conversation, as a member who presses
it does. Needs a server that `make run` started, with the library to be measured in it.

Exits with 1 when fewer than 90 % of the turns show three or four suggestions, or when fewer than 95 % of what was shown
ends in a cited answer: neither asked back about nor not covered.
"""

import argparse
import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
django.setup()

from benchmarks.generated_questions import Asked, generated_questions  # noqa: E402 (Django has to be set up first)
from pipeline import events, wiring  # noqa: E402
from pipeline.record import JourneyView, TurnRecord  # noqa: E402
from pipeline.runner import Clients, run_turn  # noqa: E402
from pipeline.turn import MemoryTurn, TurnRequest  # noqa: E402
from pipeline.turn_state import TurnState  # noqa: E402

SHOWING = 0.90
HOLDING = 0.95
_FEWEST, _MOST = 3, 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one turn."""

    question: str
    status: str
    suggestions: tuple[tuple[str, str], ...]
    """Text and reason."""
    standalone: str = ""
    answer: str = ""
    cited: bool = False
    intent: str = ""

    @property
    def held(self) -> bool:
        """Whether it ended in a cited answer."""
        return self.status == "answered" and self.cited


async def asked(request: TurnRequest, clients: Clients) -> Outcome:
    """One turn from its question to its end."""
    state = TurnState(request)
    clarified = False
    async for event in run_turn(request=request, clients=clients, state=state):
        clarified = clarified or isinstance(event, events.ClarificationAsked)
    if clarified:
        return Outcome(request.question, "clarified", ())
    record = state.record()
    shown = tuple((str(item["text"]), str(item["reason"])) for item in record.suggestions)
    return Outcome(
        question=request.question,
        status=record.status,
        suggestions=shown,
        standalone=record.standalone_question,
        answer=record.answer,
        cited=bool(record.citations),
        intent=record.intent,
    )


def first_request(one: Asked) -> TurnRequest:
    """The question as the first turn of a conversation."""
    return TurnRequest(turn="turn", conversation="conversation", number=1, question=one.question, member=one.member)


def pressed(first: TurnRequest, outcome: Outcome, text: str) -> TurnRequest:
    """A suggestion of that turn as the next one."""
    before = MemoryTurn(outcome.question, outcome.standalone, outcome.answer, outcome.status)
    return replace(first, number=2, question=text, memory=(before,))


async def measured(questions: Sequence[Asked], clients: Clients) -> tuple[list[Outcome], list[tuple[Outcome, Outcome]]]:
    """The turns, and each shown suggestion asked, with the turn that showed it."""
    turns: list[Outcome] = []
    followed: list[tuple[Outcome, Outcome]] = []
    for one in questions:
        request = first_request(one)
        outcome = await asked(request, clients)
        turns.append(outcome)
        for text, _ in outcome.suggestions:
            followed.append((outcome, await asked(pressed(request, outcome, text), clients)))
    return turns, followed


async def run(count: int, seed: int) -> tuple[list[Outcome], list[tuple[Outcome, Outcome]]]:
    """All of it on clients of this loop."""
    questions = await asyncio.to_thread(generated_questions, count, seed)
    station = await wiring.open_clients()
    try:
        local = station.clients.local
        clients = replace(
            station.clients, intent_model=local, answer_model=local, suggestion_model=local, finish=_not_stored
        )
        return await measured(questions, clients)
    finally:
        await wiring.close_clients()


async def _not_stored(_record: TurnRecord) -> JourneyView | None:
    return JourneyView()


def summary(turns: Sequence[Outcome], followed: Sequence[tuple[Outcome, Outcome]]) -> dict[str, Any]:
    """The figures."""
    showing = sum(_FEWEST <= len(turn.suggestions) <= _MOST for turn in turns)
    held = sum(outcome.held for _, outcome in followed)
    return {
        "turns": len(turns),
        "turns_by_status": dict(Counter(turn.status for turn in turns)),
        "shown_a_turn": dict(sorted(Counter(len(turn.suggestions) for turn in turns).items())),
        "showing": round(showing / max(1, len(turns)), 4),
        "shown": len(followed),
        "shown_by_status": dict(Counter(outcome.status for _, outcome in followed)),
        "holding": round(held / max(1, len(followed)), 4),
        "limits": {"showing": SHOWING, "holding": HOLDING},
    }


def main() -> int:
    """Print what was shown and what did not hold; 1 when either figure is too low."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    turns, followed = asyncio.run(run(options.turns, options.seed))
    figures = summary(turns, followed)
    if options.json:
        broken = [
            {"turn": turn.question, "shown": one.question, "status": one.status}
            for turn, one in followed
            if not one.held
        ]
        print(json.dumps({**figures, "not_held": broken}, ensure_ascii=False))
    else:
        for turn in turns:
            print(f"[{turn.status}] {turn.question}")
            of_this = {one.question: one for before, one in followed if before is turn}
            for text, reason in turn.suggestions:
                mark = " " if of_this[text].held else f"! {of_this[text].status}"
                print(f"    {mark} {text}  ({reason})")
        print(json.dumps(figures, indent=1))
    return 0 if figures["showing"] >= SHOWING and figures["holding"] >= HOLDING else 1


if __name__ == "__main__":
    sys.exit(main())
