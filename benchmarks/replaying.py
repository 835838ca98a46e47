"""Putting a labelled question to the intent node and the gate as the product does, history replayed turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.questions import Earlier, Labelled
from pipeline.clarification_gate import pass_gate
from pipeline.intent_node import find_intent
from pipeline.llm.model import LanguageModel
from pipeline.memory import memory_window
from pipeline.turn import Clarification, Intent, MemoryTurn, TurnRequest


@dataclass(frozen=True, slots=True)
class Judged:
    """What the product makes of a question."""

    intent: Intent
    asked: Clarification | None


async def judged(question: Labelled, *, model: LanguageModel, local: LanguageModel) -> Judged:
    """The intent and the gate's verdict, in the light of the question's history."""
    memory: tuple[MemoryTurn, ...] = ()
    for earlier in question.history:
        memory = memory_window([*memory, await _replayed(earlier, memory, model=model, local=local)])
    request = _request(question.text, memory)
    intent = await find_intent(request=request, model=model, local=local)
    return Judged(intent, pass_gate(request=request, intent=intent))


async def _replayed(
    earlier: Earlier, memory: Sequence[MemoryTurn], *, model: LanguageModel, local: LanguageModel
) -> MemoryTurn:
    """An earlier turn as the product would have stored it."""
    intent = await find_intent(request=_request(earlier.question, memory), model=model, local=local)
    back = earlier.answer if earlier.asks_back else ""
    return MemoryTurn(
        question=earlier.question,
        standalone=intent.standalone,
        answer="" if back else earlier.answer,
        status="clarified" if back else "answered",
        concepts=intent.concepts,
        clarification=back,
    )


def _request(question: str, memory: Sequence[MemoryTurn]) -> TurnRequest:
    """A question of a conversation; what is said after a question back is taken for its answer, as on the page."""
    return TurnRequest(
        turn="measured", conversation="measured", number=len(memory) + 1, question=question, memory=tuple(memory)
    )
