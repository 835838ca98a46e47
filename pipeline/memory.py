"""What a turn remembers of its conversation: the last few turns that came to something, within a token budget."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.budget import cut_to, tokens_of
from pipeline.turn import MemoryTurn

MEMORY_TURNS = 5
MEMORY_TOKENS = 1_500

# A stopped or cut answer was read by the member and counts as far as it went; failed and interrupted ones do not.
_REMEMBERED = frozenset({"answered", "not_covered", "cut", "stopped", "clarified"})


def memory_window(turns: Sequence[MemoryTurn], *, limit: int = MEMORY_TURNS) -> tuple[MemoryTurn, ...]:
    """The turns to remember, oldest first: at most `limit` (3 to 5) and 1,500 tokens.

    Blank and failed answers never enter. Older turns fall out whole; if the latest alone is over the budget, the end of
    its answer is cut off.
    """
    chosen: list[MemoryTurn] = []
    left = MEMORY_TOKENS
    for turn in reversed([turn for turn in turns if _came_to_something(turn)][-limit:]):
        cost = _tokens(turn)
        if cost > left and chosen:
            break
        chosen.append(turn if cost <= left else _cut(turn))
        left -= cost
    return tuple(reversed(chosen))


def _came_to_something(turn: MemoryTurn) -> bool:
    said = turn.clarification if turn.status == "clarified" else turn.answer
    return turn.status in _REMEMBERED and bool(turn.question.strip()) and bool(said.strip())


def _tokens(turn: MemoryTurn) -> int:
    return sum(tokens_of(text) for text in (turn.question, turn.answer, turn.clarification))


def _cut(turn: MemoryTurn) -> MemoryTurn:
    question = cut_to(turn.question, MEMORY_TOKENS // 2)
    rest = MEMORY_TOKENS - tokens_of(question) - tokens_of(turn.clarification)
    return replace(turn, question=question, answer=cut_to(turn.answer, rest))
