"""What a run says and what it adds up to."""

from typing import Any

import pytest

from pipeline import events
from pipeline.fold import ANSWER_MAX_BYTES, Fold
from pipeline.speech import AnswerFull, Speech
from tests.pipeline.stream_fakes import until

BODY: dict[str, Any] = {"id": "t", "conversation": "c", "status": "running", "answer": "", "sources": [], "intent": ""}


class Writer:
    """Takes what a turn's log has, for the test to look at."""

    def __init__(self) -> None:
        self.awake: set[Any] = set()

    def wake(self, turn_log: Any) -> None:
        self.awake.add(turn_log)


def speech() -> Speech:
    return Speech(Writer(), dict(BODY), owner="o", fenced=lambda: None)  # type: ignore[arg-type]


def texts(voice: Speech) -> list[str]:
    return [entry.data["text"] for entry in voice.log._waiting if entry.type == events.AnswerDelta.type]


async def test_the_first_piece_goes_out_at_once_and_later_ones_together() -> None:
    voice = speech()
    for text in ("a", "b", "c"):
        voice.say(events.AnswerDelta(text))
    assert texts(voice) == ["a"]
    voice.flush()
    assert texts(voice) == ["a", "bc"]


async def test_pieces_that_wait_go_out_by_themselves(settings: Any) -> None:
    settings.DELTA_SECONDS = 0.01
    voice = speech()
    voice.say(events.AnswerDelta("a"))
    voice.say(events.AnswerDelta("b"))
    await until(lambda: len(texts(voice)) == 2)
    assert texts(voice) == ["a", "b"]


async def test_any_other_event_comes_after_the_pieces_before_it() -> None:
    voice = speech()
    voice.say(events.AnswerDelta("a"))
    voice.say(events.AnswerDelta("b"))
    voice.say(events.AnswerCitation(1, "q", 0, 2))
    assert [entry.type for entry in voice.log._waiting] == ["answer.delta", "answer.delta", "answer.citation"]
    assert voice.fold.answer == "ab"


async def test_a_snapshot_holds_what_was_said_and_not_what_waits() -> None:
    voice = speech()
    voice.say(events.AnswerDelta("said"))
    voice.say(events.AnswerDelta(" waits"))
    voice.log.rewrite()
    assert voice.log._waiting[-1].data == {**BODY, "answer": "said", "last_seq": 2}


async def test_what_does_not_fit_is_cut_at_a_character() -> None:
    voice = speech()
    voice.say(events.AnswerDelta("x"))
    voice.say(events.AnswerDelta("é" * ANSWER_MAX_BYTES))
    with pytest.raises(AnswerFull):
        voice.flush()
    assert len(voice.fold.answer.encode()) == ANSWER_MAX_BYTES - 1


def test_a_fold_starts_again_from_a_snapshot() -> None:
    fold = Fold()
    fold.take("answer.delta", {"text": "gone"})
    fold.take("turn.snapshot", {"answer": "So far", "sources": [{"number": 1}], "intent": "general", "citations": []})
    fold.take("answer.delta", {"text": " and on"})
    fold.take("answer.citation", {"source": 1, "quote": "q", "start": 0, "end": 2})
    assert fold.stored() == {
        "answer": "So far and on",
        "sources": [{"number": 1}],
        "intent": "general",
        "citations": [{"source": 1, "quote": "q", "start": 0, "end": 2}],
    }
