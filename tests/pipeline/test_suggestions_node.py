"""Which follow-ups are shown."""

from collections.abc import Sequence

import pytest

from corpus.errors import EmbedderUnavailable
from pipeline import suggestions_node
from pipeline.errors import ModelUnavailable
from pipeline.llm.local import LocalModel
from pipeline.suggestions_node import Probe, suggest
from pipeline.turn import Context, GraphResult, Retrieval, Suggestions
from tests.pipeline.fakes import FakeModel, WordEmbedder, context_of, intent_of, remembered, request_of


async def covered(texts: Sequence[str]) -> list[float]:
    return [0.0 if "uncovered" in text else 0.5 for text in texts]


async def suggested(
    model: FakeModel, *, probe: Probe = covered, context: Context | None = None, **retrieval: object
) -> Suggestions:
    return await suggest(
        request=request_of("Why do we fail?", remembered("What is courage for you?")),
        intent=intent_of("Why do we fail?"),
        retrieval=Retrieval(**retrieval),  # type: ignore[arg-type]
        context=context or context_of("Failure is the best teacher."),
        model=model,
        local=LocalModel(WordEmbedder()),
        probe=probe,
    )


def texts_of(suggestions: Suggestions) -> list[str]:
    return [item.text for item in suggestions.items]


async def test_at_most_four_of_those_that_the_library_can_answer() -> None:
    wanted = ["An uncovered thing?", "What is grit?", "Who was Ada?", "How do I rest?", "Why walk?", "Where is Rome?"]

    assert texts_of(await suggested(FakeModel(candidates=wanted))) == wanted[1:5]


async def test_none_repeats_a_question_of_the_conversation_or_another() -> None:
    candidates = ["Why do we fail", "What is courage for you?", "What is grit?", "What is grit, then?", "Who was Ada?"]

    assert texts_of(await suggested(FakeModel(candidates=candidates))) == ["What is grit?", "Who was Ada?"]


async def test_they_are_plain_and_short() -> None:
    (text,) = texts_of(await suggested(FakeModel(candidates=["**[Grit](http://x.example)** " + "is long " * 40])))

    assert text.startswith("Grit is long")
    assert len(text) <= 140


async def test_templates_stand_in_for_a_model_that_fails() -> None:
    suggestions = await suggested(FakeModel(candidates=ModelUnavailable()))

    assert suggestions.degraded
    assert 3 <= len(suggestions.items) <= 4
    assert all(item.reason for item in suggestions.items)


async def test_templates_stand_in_for_a_model_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions_node, "MODEL_SECONDS", 0.01)
    suggestions = await suggested(FakeModel(seconds=60))

    assert suggestions.degraded
    assert suggestions.items


async def test_a_library_that_cannot_be_asked_costs_no_suggestion() -> None:
    async def fails(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable

    suggestions = await suggested(FakeModel(), probe=fails)

    assert suggestions.degraded
    assert len(suggestions.items) == 4


async def test_the_local_ones_name_concepts_and_sources() -> None:
    graph = (GraphResult(("grit",), ("grit needs luck",), (), "postgres"),)
    texts = texts_of(await suggested(LocalModel(WordEmbedder()), graph_results=graph))  # type: ignore[arg-type]

    assert texts[0] == "What should I know about grit?"
    assert any("Title 1" in text for text in texts)


async def test_the_local_ones_say_which_concept_of_the_question_they_connect_to() -> None:
    graph = (
        GraphResult(("luck", "grit"), ("luck helps with grit",), (), "postgres", asked=("grit",)),
        GraphResult(("luck", "rest"), ("luck needs rest",), (), "postgres"),
    )
    suggestions = await suggested(LocalModel(WordEmbedder()), graph_results=graph)  # type: ignore[arg-type]

    first = suggestions.items[0]
    assert first.text == "What should I know about luck?"
    assert first.reason == "because it connects to “grit”"
