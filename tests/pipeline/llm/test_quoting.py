"""The answer without a model."""

from collections.abc import Sequence

from corpus.taxonomy import Authority
from pipeline.llm.quoting import Quotation, chosen, quoted_answer, short_list
from pipeline.outgoing import OutgoingText
from pipeline.turn import AnswerPart, Citation, Context, Delta
from tests.pipeline.fakes import context_of, source_of

FAILURE = (
    "Many things are said. Failure is the best teacher of an entrepreneur. The weather was fine on that day in May."
)
SHOP = "The baker opened her shop at sixty. She says that failure taught her more than any school could."


def answer_to(question: str, context: Context, *, offset: int = 0) -> list[AnswerPart]:
    return quoted_answer(chosen(short_list(question, context), None), context, offset=offset)


def text_of(parts: Sequence[AnswerPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, Delta))


def test_whole_sentences_with_the_questions_words_come_first() -> None:
    listed = short_list("What does failure teach an entrepreneur?", context_of(FAILURE, SHOP))

    assert [quotation.sentence for quotation in listed[:2]] == [
        "Failure is the best teacher of an entrepreneur.",
        "She says that failure taught her more than any school could.",
    ]


def test_a_list_item_is_quoted_without_its_mark_and_a_heading_not_at_all() -> None:
    text = "What you should keep in mind\nTo keep in mind, this:\n- Keep six months of money in mind\n2. Keep at it."

    assert [one.sentence for one in short_list("What to keep in mind?", context_of(text))] == [
        "Keep six months of money in mind"
    ]


def test_of_these_the_nearest_in_meaning_are_quoted_at_most_two_of_a_source() -> None:
    source, other = source_of(1, "a. b. c. d."), source_of(2, "e.")
    listed = [Quotation(source, text, 1.0) for text in "abcd"] + [Quotation(other, "e", 1.0)]

    assert [one.sentence for one in chosen(listed, [0.5, 0.9, 0.8, 0.1, 0.7])] == ["b", "c", "e"]


def test_what_is_near_to_nothing_is_not_quoted_and_the_nearest_title_is_named() -> None:
    context = context_of(FAILURE)
    listed = short_list("Pizza?", context)
    parts = quoted_answer(chosen(listed, [0.1] * len(listed)), context)

    assert (
        text_of(parts) == "I found nothing in the library that speaks to this. The nearest thing it covers is Title 1."
    )
    assert len(parts) == 1


def test_every_quotation_is_word_for_word_and_cited_at_its_place() -> None:
    parts = answer_to("What does failure teach?", context_of(FAILURE, SHOP), offset=3)
    text = "###" + text_of(parts)
    citations = [part for part in parts if isinstance(part, Citation)]

    assert "word for word" in text
    assert citations
    assert all(text[citation.start : citation.end] == f"“{citation.quote}”" for citation in citations)
    assert all(citation.quote in (FAILURE, SHOP)[citation.source - 1] for citation in citations)


def test_the_quotation_rule_lets_all_of_it_pass() -> None:
    sources = (
        source_of(1, FAILURE),
        source_of(2, 'He said "never give up on a thing that you love" and left the room.'),
        source_of(3, "In the end failure is what Jay Samit talked about most.", Authority.SUPPLEMENTARY),
    )
    written = [
        part.text for part in answer_to("Why never give up failure?", Context(sources)) if isinstance(part, Delta)
    ]
    outgoing = OutgoingText(sources)
    for text in written:
        outgoing.feed(text)
    outgoing.close()

    assert "In the end" in outgoing.text
    assert outgoing.text.count("“") == "".join(written).count("“") - 1, (
        "only the one that names the author loses its marks"
    )


def test_what_is_not_the_authors_is_said_to_be_not() -> None:
    sources = (
        source_of(1, FAILURE),
        source_of(2, "An example of failure is the tale of the two brothers.", Authority.ILLUSTRATIVE),
        source_of(3, "Failure rates of young firms are about one half.", Authority.SUPPORTING),
    )
    text = text_of(answer_to("What about failure?", Context(sources)))

    assert "As an illustration only" in text
    assert "As general background" in text


def test_a_doubtful_find_is_said_to_be_one() -> None:
    text = text_of(answer_to("Failure physics?", Context((source_of(1, FAILURE),), covered=False)))

    assert text.startswith("The library says little about this.")
