"""The provider's stream cut at a byte: what was shown is kept, nothing is said twice, and the conversation goes on."""

import random
from collections.abc import Sequence

import pytest

from benchmarks.provider import Provider
from benchmarks.provider.messages import Block, answer_reply, citation_of, events_of, stream_reply
from benchmarks.provider.replies import Call, Reply
from journeys.models import Turn
from tests.pipeline.providers.wire import Asker
from tests.pipeline.stream_fakes import joined

QUESTION = "Why is failure the best teacher?"
SAMPLE = 16
PARTS = 8
SENTENCES = (
    "Wer neu beginnt, trägt 30 Jahre mit — and that is a strength, not a burden. ",
    "Начать сначала значит идти дальше 😀, one small step after another. ",
    "“Failure is the best teacher.” So it is written, and it shows what to change first. ",
    "Ask three people what they would pay for; write down their words, not yours. ",
)


def blocks_of(call: Call) -> list[Block]:
    """About 3 kB, in words of several scripts, every other sentence cited."""
    blocks = []
    for number in range(12):
        first = number * 3
        text = "".join(SENTENCES[at % len(SENTENCES)] for at in range(first, first + 3))
        blocks.append(Block([text[:40], text[40:]], [citation_of(call, number % 4 // 2)] if number % 2 else []))
    return blocks


def whole(call: Call) -> Reply:
    return stream_reply(events_of(blocks_of(call)))


class Cuts:
    """Where the stream of the answer begins to show something, where all is said, and where it ends."""

    def __init__(self, call: Call) -> None:
        events = events_of(blocks_of(call))
        ends = [sum(map(len, events[: at + 1])) for at in range(len(events))]
        self.shows = ends[3]
        """The end of the first text: from here on it is not asked again."""
        self.all_said = ends[-2]
        self.end = ends[-1]


async def uncut(provider: Provider, asker: Asker) -> tuple[Turn, Cuts]:
    provider.play("answer", whole)
    turn, _ = await asker.ask(QUESTION)
    assert 2_950 < len(turn.answer.encode()) < 3_300
    return turn, Cuts(provider.calls_of("answer")[0])


async def cut_at(provider: Provider, asker: Asker, byte: int, *, cleanly: bool, full: Turn, cuts: Cuts) -> Turn:
    """Ask with the stream cut at this byte, and check what became of it."""
    before = len(provider.calls_of("answer"))
    cut = lambda call: stream_reply(events_of(blocks_of(call)), cut_at=byte, cleanly=cleanly)  # noqa: E731
    provider.play("answer", cut, whole)
    asker.conversation = None
    turn, frames = await asker.ask(QUESTION)

    assert full.answer.startswith(turn.answer), byte
    assert joined(frames) == turn.answer, byte
    asked = len(provider.calls_of("answer")) - before
    if byte < cuts.shows:
        assert (turn.status, turn.answer, asked) == (Turn.Status.ANSWERED, full.answer, 2), byte
    elif byte < cuts.all_said:
        assert (turn.status, turn.error_code, asked) == (Turn.Status.FAILED, "stream_broken", 1), byte
        assert turn.answer, byte
    else:
        assert (turn.status, turn.answer, asked) == (Turn.Status.ANSWERED, full.answer, 1), byte
    assert all(0 <= each["start"] < each["end"] <= len(turn.answer) for each in turn.citations), byte
    return turn


async def goes_on(provider: Provider, asker: Asker, turn: Turn, full: Turn) -> None:
    """A retry works, and so does the next question."""
    provider.play("answer", whole)
    again, _ = await asker.retry(turn)
    assert (again.status, again.answer) == (Turn.Status.ANSWERED, full.answer)
    provider.play("answer", answer_reply)
    later, _ = await asker.ask("And what then?")
    assert later.status == Turn.Status.ANSWERED


def sampled(cuts: Cuts) -> Sequence[int]:
    source = random.Random(20)
    edges = [0, cuts.shows - 1, cuts.shows, cuts.all_said - 1, cuts.all_said, cuts.end - 1]
    return [*edges, *sorted(source.sample(range(cuts.shows, cuts.all_said), SAMPLE))]


async def test_a_stream_cut_anywhere_leaves_a_prefix_and_a_conversation_that_goes_on(
    provider: Provider, asker: Asker
) -> None:
    full, cuts = await uncut(provider, asker)
    for number, byte in enumerate(sampled(cuts)):
        turn = await cut_at(provider, asker, byte, cleanly=bool(number % 2), full=full, cuts=cuts)
        if turn.status == Turn.Status.FAILED and number % 4 == 2:
            await goes_on(provider, asker, turn, full)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_a_stream_cut_at_every_byte_leaves_a_prefix(provider: Provider, asker: Asker, part: int) -> None:
    full, cuts = await uncut(provider, asker)
    for number, byte in enumerate(range(part, cuts.end, PARTS)):
        turn = await cut_at(provider, asker, byte, cleanly=bool(number % 2), full=full, cuts=cuts)
        if turn.status == Turn.Status.FAILED and number % 50 == 0:
            await goes_on(provider, asker, turn, full)
        del provider.calls[:]
