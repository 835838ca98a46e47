"""The answer on its way out, whatever the model writes and however it fails."""

from collections.abc import Sequence

import pytest

from pipeline.errors import ModelUnavailable, StreamBroken
from pipeline.llm.local import LocalModel
from pipeline.response_node import respond
from pipeline.turn import AnswerEnd, AnswerPart, Citation, Context, Delta, Intent, MemberContext, StopReason
from tests.pipeline.fakes import FakeModel, WordEmbedder, context_of, intent_of, request_of, said

CONTEXT = context_of("Failure is the best teacher. It is never late.", "Begin with a small step every day.")


async def help_line(country: str) -> str:
    return f"Help for {country}."


async def answer_of(
    model: FakeModel,
    *,
    context: Context = CONTEXT,
    intent: Intent | None = None,
    question: str = "Why fail?",
    **request: object,
) -> tuple[str, list[Citation], AnswerEnd]:
    parts: list[AnswerPart] = [
        part
        async for part in respond(
            request=request_of(question, **request),
            intent=intent or intent_of(question),
            context=context,
            model=model,
            local=LocalModel(WordEmbedder()),
            help_line=help_line,
        )
    ]
    end = parts[-1]
    assert isinstance(end, AnswerEnd)
    return text_of(parts), [part for part in parts if isinstance(part, Citation)], end


def text_of(parts: Sequence[AnswerPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Delta))


async def test_numbers_written_by_the_model_become_citations_of_the_sentence_before_them() -> None:
    text, citations, end = await answer_of(FakeModel(said("Failure te", "aches [", "1]. C [9]. Array x[0].")))

    assert text == "Failure teaches. C [9]. Array x[0]."
    assert citations == [Citation(1, "Failure is the best teacher.", 0, len("Failure teaches"))]
    assert (end.stop_reason, end.sources_used) == (StopReason.COMPLETE, (1,))


async def test_a_models_citation_stands_where_its_words_went_out() -> None:
    parts: list[AnswerPart] = [
        Delta("<b>So:</b> "),
        Delta("small steps."),
        Citation(2, "a small step", 11, 23),
        AnswerEnd(StopReason.COMPLETE),
    ]
    text, citations, _ = await answer_of(FakeModel(parts))

    assert text == "So: small steps."
    assert text[citations[0].start : citations[0].end] == "small steps."


@pytest.mark.parametrize(
    "citation",
    [
        Citation(7, "Failure", 0, 5),
        Citation(1, "Success is easy", 0, 5),
        Citation(1, "", 0, 5),
        Citation(1, "Failure", 5, 5),
    ],
)
async def test_a_citation_that_does_not_hold_is_left_out(citation: Citation) -> None:
    _, citations, end = await answer_of(FakeModel([Delta("Words, words."), citation, AnswerEnd(StopReason.COMPLETE)]))

    assert citations == []
    assert end.sources_used == ()


async def test_a_model_that_does_not_begin_gives_way_to_the_local_one() -> None:
    text, citations, end = await answer_of(
        FakeModel([ModelUnavailable()]), question="What about failure, the best teacher?"
    )

    assert "word for word" in text
    assert citations
    assert end.degraded


@pytest.mark.parametrize("error", [StreamBroken(), ModelUnavailable()])
async def test_an_answer_that_breaks_off_is_never_begun_again(error: Exception) -> None:
    model = FakeModel([Delta("Half an "), error])

    with pytest.raises(StreamBroken):
        await answer_of(model)
    assert model.closed


async def test_a_stream_that_ends_without_a_reason_is_a_broken_one() -> None:
    with pytest.raises(StreamBroken):
        await answer_of(FakeModel([Delta("All of it.")]))


async def test_what_is_held_back_when_a_stream_breaks_is_dropped() -> None:
    parts: list[AnswerPart] = []
    stream = respond(
        request=request_of("Why?"),
        intent=intent_of("Why?"),
        context=CONTEXT,
        model=FakeModel([Delta("He said “fail and"), StreamBroken()]),
        local=LocalModel(WordEmbedder()),
        help_line=help_line,
    )

    async def read() -> None:
        async for part in stream:
            parts.append(part)

    with pytest.raises(StreamBroken):
        await read()
    assert text_of(parts) == "He said"


@pytest.mark.parametrize("texts", [(), (" ", "\n\n"), ("![](http://x.example)",)])
async def test_an_answer_without_words_is_empty(texts: tuple[str, ...]) -> None:
    text, citations, end = await answer_of(FakeModel(said(*texts)))

    assert (text, citations, end.stop_reason) == ("", [], StopReason.EMPTY)


@pytest.mark.parametrize("stop", [StopReason.CUT, StopReason.REFUSED])
async def test_other_endings_keep_their_reason(stop: StopReason) -> None:
    _, _, end = await answer_of(FakeModel(said("I would rather not.", stop=stop)))

    assert end.stop_reason is stop


async def test_without_a_source_no_model_is_asked_and_the_nearest_thing_is_named() -> None:
    model = FakeModel(said("Invented."))
    text, citations, _ = await answer_of(model, context=Context(nearest="On Courage"))

    assert "nothing about this" in text
    assert "On Courage" in text
    assert (model.calls, citations) == ([], [])


async def test_danger_is_answered_by_the_help_lines_and_nothing_else() -> None:
    model = FakeModel(said("Cheer up."))
    text, _, end = await answer_of(model, intent=intent_of("?", care=True), member=MemberContext(country="GB"))

    assert (text, end.stop_reason, model.calls) == ("Help for GB.", StopReason.COMPLETE, [])


async def test_help_is_given_when_the_stored_text_cannot_be_read() -> None:
    async def fails(country: str) -> str:
        raise OSError("no database")

    parts = [
        part
        async for part in respond(
            request=request_of("?", member=MemberContext(country="GB")),
            intent=intent_of("?", care=True),
            context=Context(),
            model=FakeModel(),
            local=FakeModel(),
            help_line=fails,
        )
    ]

    assert "116 123" in text_of(parts)


async def test_an_answer_that_is_continued_begins_with_what_was_written() -> None:
    model = FakeModel([Delta(" Then more [2]."), AnswerEnd(StopReason.COMPLETE)])
    text, citations, _ = await answer_of(model, continue_from="It began so.")

    assert text == "It began so. Then more."
    assert text[citations[0].start : citations[0].end] == "Then more"


async def test_the_local_model_greets_without_sources() -> None:
    local = LocalModel(WordEmbedder())
    text, citations, end = await answer_of(local, context=Context(), intent=intent_of("Hello", needs_retrieval=False))  # type: ignore[arg-type]

    assert text
    assert (citations, end.stop_reason) == ([], StopReason.COMPLETE)
