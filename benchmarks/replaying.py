"""Putting a question to the intent node and the gate as the product does, the conversation before it replayed."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.models import Models
from benchmarks.questions import Earlier
from pipeline.clarification_gate import pass_gate
from pipeline.intent_node import find_intent
from pipeline.memory import memory_window
from pipeline.turn import Clarification, Intent, MemoryTurn, TurnRequest


@dataclass(frozen=True, slots=True)
class Judged:
    """What the product makes of a question."""

    intent: Intent
    asked: Clarification | None


class Replay:
    """Replays conversations; what two of them share is done once."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._turns: dict[tuple[Earlier, ...], tuple[MemoryTurn, ...]] = {}

    async def judged(self, question: str, history: Sequence[Earlier] = ()) -> Judged:
        """The intent and the gate's verdict, in the light of what was said before."""
        request = _request(question, memory_window(await self._remembered(tuple(history))))
        intent = await self._intent(request)
        return Judged(intent, pass_gate(request=request, intent=intent))

    async def _remembered(self, history: tuple[Earlier, ...]) -> tuple[MemoryTurn, ...]:
        """The turns as the product would have stored them."""
        if not history:
            return ()
        if history not in self._turns:
            before = await self._remembered(history[:-1])
            self._turns[history] = (*before, await self._stored(history[-1], before))
        return self._turns[history]

    async def _stored(self, earlier: Earlier, before: Sequence[MemoryTurn]) -> MemoryTurn:
        intent = await self._intent(_request(earlier.question, memory_window(before)))
        back = earlier.answer if earlier.asks_back else ""
        return MemoryTurn(
            question=earlier.question,
            standalone=intent.standalone,
            answer="" if back else earlier.answer,
            status="clarified" if back else "answered",
            concepts=intent.concepts,
            clarification=back,
        )

    async def _intent(self, request: TurnRequest) -> Intent:
        return await find_intent(request=request, model=self._models.intent, local=self._models.local)


def _request(question: str, memory: tuple[MemoryTurn, ...]) -> TurnRequest:
    return TurnRequest(
        turn="measured", conversation="measured", number=len(memory) + 1, question=question, memory=memory
    )
