"""Where sentences end."""

import pytest

from pipeline.sentences import last_sentence, sentences_of


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("He said “Go.” Then he went.", ["He said “Go.”", "Then he went."]),
        ("Mr. Smith met Dr. No at 5 p.m. in Rome.", ["Mr. Smith met Dr. No at 5 p.m. in Rome."]),
        ("A title\n\nA line.", ["A title", "A line."]),
        ("It cost 3.50 e.g. today.", ["It cost 3.50 e.g. today."]),
        ("   ", []),
    ],
)
def test_sentences_are_found(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_the_last_sentence_of_nothing_is_nothing() -> None:
    assert last_sentence("") == (0, 0)
