"""The path of a turn: what runs, in which order, and what is left behind."""

import pytest

from corpus.embeddings import QueryVector
from pipeline import events
from pipeline.llm.local import LocalModel
from pipeline.turn import (
    IntentKind,
    MemberContext,
    MemoryTurn,
    SearchQuery,
    WeightedText,
)
from tests.pipeline.fake_library import FakeSearch, World, chunk_of, events_of, names_of
from tests.pipeline.fakes import FakeModel, WordEmbedder, intent_of, remembered, request_of, said

ANSWER = said("Failure ", "teaches [1].")


async def test_a_turn_says_its_events_in_the_order_of_the_path() -> None:
    world = World(FakeModel(ANSWER))
    found = await events_of(world, request_of("Why do we fail?"))

    assert names_of(found) == [
        "status intent",
        "intent.found",
        "status gate",
        "status retrieval",
        "status context",
        "sources.found",
        "status response",
        "answer.delta",
        "answer.delta",
        "answer.citation",
        "answer.delta",
        "answer.done",
        "status suggestions",
        "suggestions.ready",
        "status journey",
        "journey.updated",
        "turn.done",
    ]
    assert "".join(event.text for event in found if isinstance(event, events.AnswerDelta)) == "Failure teaches."


async def test_the_record_holds_all_that_is_stored() -> None:
    world = World(FakeModel(ANSWER))
    found = await events_of(world, request_of("Why do we fail?"))
    (record,) = world.finished
    done = found[-1]

    assert (record.status, record.intent, record.space) == ("answered", "concept_explanation", "space-1")
    assert record.answer == "Failure teaches."
    assert record.search == {"keywords": "Why do we fail?", "texts": ({"text": "Why do we fail?", "weight": 1.0},)}
    assert [source["number"] for source in record.sources] == [1]
    assert [citation["source"] for citation in record.citations] == [1]
    assert set(record.prompts) == {"intent", "response", "suggestions"}
    assert isinstance(done, events.TurnDone)
    assert {"intent", "gate", "retrieval", "context", "response", "suggestions", "journey", "total"} <= set(
        done.timings
    )


async def test_when_the_gate_asks_no_later_node_runs_and_the_embedding_is_cancelled() -> None:
    unclear = intent_of("What about that one?", refers_to_absent=True)
    world = World(FakeModel(ANSWER, intent=unclear, seconds=0.01), embed_seconds=60)
    found = await events_of(world, request_of("What about that one?"))

    assert names_of(found) == ["status intent", "intent.found", "status gate", "clarification.asked"]
    assert (world.model.calls, world.search.calls, world.finished) == (["classify"], [], [])
    assert world.embeddings_cancelled == 1


async def test_the_embedding_of_the_question_runs_beside_the_intent_and_serves() -> None:
    world = World(FakeModel(ANSWER, seconds=0.01))
    await events_of(world, request_of("Why do we fail?"))

    assert world.embedded == [(("Why do we fail?", 1.0),)]


async def test_it_is_made_again_only_when_something_else_is_searched_for() -> None:
    texts = (WeightedText("When was he hurt?", 0.5), WeightedText("Who is Ahab? When was he hurt?", 0.5))
    intent = intent_of("When was he hurt?", search=SearchQuery("Ahab hurt", texts))
    world = World(FakeModel(ANSWER, intent=intent, seconds=0.01), embed_seconds=0.02)
    await events_of(world, request_of("When was he hurt?", remembered("Who is Ahab?")))

    assert world.embedded[1] == tuple((text.text, text.weight) for text in texts)
    assert world.embeddings_cancelled == 1


async def test_danger_takes_three_nodes_and_neither_model_nor_embedder_hears_of_it() -> None:
    world = World(FakeModel(ANSWER))
    found = await events_of(world, request_of("I want to die", member=MemberContext(country="GB")))

    assert names_of(found) == [
        "status intent",
        "intent.found",
        "status response",
        "answer.delta",
        "answer.done",
        "status journey",
        "journey.updated",
        "turn.done",
    ]
    assert (world.model.calls, world.local.calls, world.search.calls, world.embedded) == ([], [], [], [])
    assert (world.finished[0].status, world.finished[0].care) == ("answered", True)
    assert world.finished[0].answer == "Help for GB."


async def test_thanks_are_answered_without_search_or_citation() -> None:
    local = LocalModel(WordEmbedder())
    world = World(local, local)  # type: ignore[arg-type]
    await events_of(world, request_of("Thank you! 👍"))

    assert world.search.calls == []
    assert (world.finished[0].status, world.finished[0].citations) == ("answered", ())


@pytest.mark.parametrize("turn", [2, 3, 12])
async def test_a_follow_up_is_searched_with_the_subject_of_its_conversation(turn: int) -> None:
    local = LocalModel(WordEmbedder())
    asked = [
        "Who is Captain Ahab?",
        "When was he hurt?",
        *(f"And what did he do in year {year}?" for year in range(10)),
    ]
    memory: list[MemoryTurn] = []
    for question in asked[: turn - 1]:
        world = World(local, local)  # type: ignore[arg-type]
        await events_of(world, request_of(question, *memory[-5:]))
        memory.append(remembered(question, standalone=world.finished[0].standalone_question))
    world = World(local, local)  # type: ignore[arg-type]
    await events_of(world, request_of("When was he hurt?", *memory[-5:]))

    assert "Ahab" in str(world.finished[0].search["keywords"])
    assert any("Ahab" in text for text, _ in world.embedded[-1])


async def test_what_answered_with_less_is_named_in_order() -> None:
    class NoEmbedding(World):
        async def _embed(self, texts: object) -> QueryVector:
            from corpus.errors import EmbedderUnavailable

            raise EmbedderUnavailable

    world = NoEmbedding(FakeModel(ANSWER, intent=intent_of("Why?", kind=IntentKind.GENERAL, degraded=True)))
    found = await events_of(world, request_of("Why do we fail?"))
    done = found[-1]

    assert isinstance(done, events.TurnDone)
    assert done.degraded == ("intent", "embedding")


async def test_sources_are_told_before_the_answer_with_all_that_a_citation_needs() -> None:
    world = World(FakeModel(ANSWER), search=FakeSearch([chunk_of(4, "Failure is the best teacher.")]))
    found = await events_of(world, request_of("Why do we fail?"))
    (sources,) = (event.sources for event in found if isinstance(event, events.SourcesFound))

    assert set(sources[0]) == {
        "number", "document", "chunk", "title", "authority", "content_type", "locator", "excerpt", "link",
    }  # fmt: skip
