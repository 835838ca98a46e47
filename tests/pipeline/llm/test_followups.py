"""What a question is searched with, without a model to rewrite it."""

import pytest

from pipeline.llm.followups import Followup, followed_up, topic_before
from tests.pipeline.fakes import remembered, request_of

AHAB = remembered("Who is Captain Ahab?")


def asked(question: str, *memory, **fields: object) -> Followup:  # type: ignore[no-untyped-def]
    return followed_up(request_of(question, *memory, **fields))


def texts_of(followup: Followup) -> list[tuple[str, float]]:
    return [(text.text, text.weight) for text in followup.search.texts]


@pytest.mark.parametrize("question", ["When was he hurt?", "New topic: how do I pitch?"])
def test_a_first_question_is_untouched(question: str) -> None:
    followup = asked(question)

    assert followup.standalone == followup.search.keywords == question
    assert texts_of(followup) == [(question, 1.0)]


def test_a_follow_up_is_half_itself_and_half_all_questions() -> None:
    followup = asked("When was he hurt?", AHAB)

    assert texts_of(followup) == [("When was he hurt?", 0.5), ("Who is Captain Ahab? When was he hurt?", 0.5)]
    assert followup.search.keywords == "When was he hurt? Who is Captain Ahab?"


def test_the_subject_is_carried_on_through_a_chain() -> None:
    second = asked("When was he hurt?", AHAB)
    third = asked("And then?", remembered("When was he hurt?", standalone=second.standalone))

    assert "Ahab" in third.search.keywords
    assert "Ahab" in third.search.texts[1].text


@pytest.mark.parametrize("number", [2, 3, 12])
def test_the_subject_is_searched_with_at_every_later_turn(number: int) -> None:
    memory = [AHAB]
    for _ in range(number - 2):
        memory.append(remembered("And then?", standalone=asked("And then?", *memory[-5:]).standalone))

    assert "Ahab" in asked("When was he hurt?", *memory[-5:]).search.keywords


def test_a_subject_of_its_own_near_to_the_topic_stands_alone_and_is_searched_in_its_light() -> None:
    request = request_of("Which ships did Melville sail on?", AHAB)
    followup = followed_up(request, same_topic=True)

    assert topic_before(request) == ("Who is Captain Ahab?",)
    assert followup.standalone == "Which ships did Melville sail on?"
    assert texts_of(followup)[1] == ("Who is Captain Ahab? Which ships did Melville sail on?", 0.5)
    assert "Ahab" in followup.search.keywords


@pytest.mark.parametrize("question", ["New topic: how do I price a product?", "When was he hurt?"])
def test_nearness_is_not_asked_about_where_the_words_decide(question: str) -> None:
    assert topic_before(request_of(question, AHAB)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "How do I write a business plan for a bakery?",
        "What is compound interest?",
        "Which chapter deals with courage?",
        "Should I sell my house before I move abroad?",
        "What is a value chain?",
        "Who was Edison?",
        "Is luck important for founders?",
        "How do I find a mentor?",
        "Does age matter to investors?",
        "What are transferable skills?",
        "Which books has the author written?",
        "How can I sleep better?",
        "Can a shy person sell?",
        "Explain crowdfunding.",
        "How do networks help careers?",
        "I want to open a cafe. Where do I begin?",
        "Tell me about Jay Samit's childhood.",
        "Is coaching a good business?",
        "What does the book say about fear?",
        "How do I write a CV at 55?",
    ],
)
def test_a_question_that_names_its_own_subject_carries_nothing(question: str) -> None:
    followup = asked(question, AHAB)

    assert texts_of(followup) == [(question, 1.0)]
    assert not followup.carries


@pytest.mark.parametrize(
    "question",
    [
        "What are the main risks?",
        "How long does the training take?",
        "Which companies failed?",
        "Are there any exercises?",
        "When was he hurt?",
        "And for older people?",
        "Why?",
        "How old was the captain?",
        "What are the steps?",
        "Can I do it alone?",
        "Does age matter?",
        "What did the critics say?",
        "Who paid for it?",
        "Any examples?",
        "What happened afterwards?",
        "How do I start?",
        "Is a degree needed?",
        "What would the first month look like?",
        "Which chapter?",
        "What are the advantages and disadvantages?",
        "Are there success stories?",
        "Could you list the main points?",
        "What mistakes should I avoid?",
        "What if I have no savings?",
        "Where can I learn this?",
        "Is there a worksheet?",
    ],
)
def test_a_question_that_needs_another_carries_its_subject(question: str) -> None:
    assert "Ahab" in asked(question, AHAB).search.keywords


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Different question: how do I pitch?", "how do I pitch?"),
        ("OK, new topic. What is grit?", "What is grit?"),
        ("Something else entirely: is luck real?", "is luck real?"),
    ],
)
def test_an_announced_change_of_topic_is_dropped_with_all_that_was_before(question: str, rest: str) -> None:
    assert asked(question, AHAB).standalone == asked(question, AHAB).search.keywords == rest


@pytest.mark.parametrize("question", ["And Starbuck?", "What about Starbuck?", "Shorter, please.", "Another example?"])
def test_a_scrap_wants_what_the_question_before_wanted(question: str) -> None:
    assert asked(question, AHAB).repeats_intent


def test_a_clarifications_answer_is_understood_with_its_question() -> None:
    clarified = remembered("What does it cost?", "", "clarified", clarification="What do you mean?")
    followup = asked("The franchise licence.", answers=clarified)

    assert followup.standalone == "What does it cost? The franchise licence."
    assert followup.search.keywords == followup.standalone


ASKED_BACK = remembered("What does it cost?", "", "clarified", clarification="What is your question about?")


@pytest.mark.parametrize(
    "answer", ["The franchise licence.", "A licence for a franchise", "I mean a licence", "the second"]
)
def test_what_is_written_after_a_question_back_answers_it(answer: str) -> None:
    assert asked(answer, ASKED_BACK).standalone == f"What does it cost? {answer}"


@pytest.mark.parametrize(
    "question", ["How do I find a mentor?", "New topic: courage at work", "Tell me about Edison's factory"]
)
def test_a_whole_question_after_a_question_back_stands_for_itself(question: str) -> None:
    followup = asked(question, ASKED_BACK)

    assert not followup.carries
    assert "cost" not in followup.search.keywords


def test_small_talk_before_it_is_no_context() -> None:
    assert not asked("What about courage?", remembered("Hello!")).carries
