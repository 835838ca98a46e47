"""The local language model, with the sentence embedder that ships."""

import asyncio

import pytest

from corpus.embeddings import LocalEmbedder
from corpus.errors import EmbedderUnavailable
from pipeline.clarification_gate import pass_gate
from pipeline.errors import ModelUnavailable
from pipeline.llm.classifier import samples
from pipeline.llm.local import LocalModel
from pipeline.llm.model import AnswerRequest
from pipeline.turn import Delta, Intent, IntentKind, MemberContext, TurnRequest
from tests.pipeline.fakes import WordEmbedder, context_of, remembered, request_of


@pytest.fixture(scope="module")
def model() -> LocalModel:
    return LocalModel(LocalEmbedder())


def classified(model: LocalModel, request: TurnRequest) -> Intent:
    return asyncio.run(model.classify(request, ""))


# None of these stands among the samples.
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the meaning of a growth mindset?", IntentKind.CONCEPT_EXPLANATION),
        ("Why is it so hard to leave a profession?", IntentKind.CONCEPT_EXPLANATION),
        ("How do I negotiate a severance package?", IntentKind.ACTIONABLE_ADVICE),
        ("Should I move in with my sister to save rent while I retrain?", IntentKind.ACTIONABLE_ADVICE),
        ("How did Jay Samit deal with bankruptcy?", IntentKind.PERSONAL_STORY),
        ("What was the author's first company?", IntentKind.PERSONAL_STORY),
        ("Which chapter is about partners?", IntentKind.BOOK_REFERENCE),
        ("Find me the quote on fear.", IntentKind.BOOK_REFERENCE),
        ("Examples of engineers who opened restaurants?", IntentKind.CASE_STUDY),
        ("What happened to Nokia?", IntentKind.CASE_STUDY),
        ("I feel lost since my retirement.", IntentKind.EXPLORATION),
        ("Surprise me!", IntentKind.EXPLORATION),
        ("Who can read my conversations?", IntentKind.GENERAL),
        ("What is the weather in Rome?", IntentKind.GENERAL),
    ],
)
def test_intents_are_told_apart(model: LocalModel, question: str, kind: IntentKind) -> None:
    assert classified(model, request_of(question)).kind is kind


def test_there_are_samples_enough_of_each_intent() -> None:
    questions = samples().questions

    assert set(questions) == set(IntentKind)
    assert all(len(set(texts)) >= 12 for texts in questions.values())


def test_that_one_without_memory_is_asked_back_about(model: LocalModel) -> None:
    request = request_of("What about that one?")
    intent = classified(model, request)
    asked = pass_gate(request=request, intent=intent)

    assert intent.refers_to_absent
    assert asked is not None
    assert asked.rule == "refers_to_absent"


def test_with_memory_it_carries_the_subject(model: LocalModel) -> None:
    request = request_of("What about that one?", remembered("What is a sponsor?"))
    intent = classified(model, request)

    assert not intent.refers_to_absent
    assert "sponsor" in intent.search.keywords
    assert pass_gate(request=request, intent=intent) is None


@pytest.mark.parametrize("between", ["", "in years and in all that one can learn from somebody at work " * 3])
def test_of_two_things_it_asks_which(model: LocalModel, between: str) -> None:
    before = remembered("What is the difference between a mentor and a sponsor?")
    request = request_of(f"Does that one have to be older {between}than me?", before)
    asked = pass_gate(request=request, intent=classified(model, request))

    assert asked is not None
    first, second = asked.options
    assert first.endswith("I mean the mentor.")
    assert second.endswith("I mean the sponsor.")


def test_a_word_with_several_meanings_is_asked_about(model: LocalModel) -> None:
    request = request_of("Tell me about equity.")
    asked = pass_gate(request=request, intent=classified(model, request))

    assert asked is not None
    assert asked.rule == "several_readings"


@pytest.mark.parametrize("question", ["Thank you!", "ok cool", "👍", "merci", "hello"])
def test_small_talk_needs_no_retrieval_and_is_not_asked_back_about(model: LocalModel, question: str) -> None:
    request = request_of(question)
    intent = classified(model, request)

    assert (intent.needs_retrieval, intent.small_talk) == (False, True)
    assert pass_gate(request=request, intent=intent) is None


@pytest.mark.parametrize("question", ["ok and what about chapter 3?", "what is it", "the who", "& | :*", "a"])
def test_anything_else_needs_retrieval(model: LocalModel, question: str) -> None:
    assert classified(model, request_of(question)).needs_retrieval


def test_samples_are_embedded_once() -> None:
    embedder = WordEmbedder()
    model = LocalModel(embedder)
    classified(model, request_of("What is grit?"))
    once = embedder.embedded
    classified(model, request_of("What is luck?"))

    assert embedder.embedded == once + 1


class NoEmbedder(WordEmbedder):
    def embed_batch(self, texts):  # type: ignore[no-untyped-def]
        raise EmbedderUnavailable

    def ping(self) -> None:
        raise EmbedderUnavailable


def test_without_an_embedder_turns_of_phrase_decide() -> None:
    assert classified(LocalModel(NoEmbedder()), request_of("Which chapter is it?")).kind is IntentKind.BOOK_REFERENCE


def test_a_ping_says_whether_it_could_answer() -> None:
    asyncio.run(LocalModel(WordEmbedder()).ping())
    with pytest.raises(ModelUnavailable):
        asyncio.run(LocalModel(NoEmbedder()).ping())


def test_names_of_concepts_come_from_whoever_knows_them() -> None:
    model = LocalModel(WordEmbedder(), named=lambda text: ("grit",) if "grit" in text else ())

    assert classified(model, request_of("What is grit?")).concepts == ("grit",)


async def test_an_answer_comes_in_pieces_that_join_to_the_whole() -> None:
    context = context_of("Failure is the best teacher of an entrepreneur.")
    request = AnswerRequest(
        "What does failure teach?", "What does failure teach?", "general", context, (), MemberContext(), ""
    )
    texts = [part.text async for part in LocalModel(NoEmbedder()).answer(request) if isinstance(part, Delta)]

    assert len(texts) > 5
    assert "".join(texts).endswith("\n\nFrom Title 1:\n“Failure is the best teacher of an entrepreneur.”")
