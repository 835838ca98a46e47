"""That an answer does not recite its prompt."""

import pytest

from pipeline.leaks import PromptGuard, recites
from pipeline.prompts import prompt_of

PROMPT = "Be warm and plain. Answer from the sources you are given and from nothing else. Cite what you use."


def passed_on(*pieces: str) -> tuple[str, bool]:
    guard = PromptGuard(PROMPT)
    out = ""
    for piece in pieces:
        text, recited = guard.feed(piece)
        out += text
        if recited:
            return out, True
    text, recited = guard.close()
    return out + text, recited


@pytest.mark.parametrize(
    "pieces",
    [
        ["Answer from the sources you are given and from nothing else."],
        ["My rules: ", "answer ", "from the ", "sour", "ces you", " are given", " and from nothing"],
        ["BE WARM AND PLAIN! answer -- from (the sources) you."],
    ],
)
def test_eight_words_in_a_row_are_a_recital_however_they_come(pieces: list[str]) -> None:
    out, recited = passed_on(*pieces)

    assert recited
    assert "you are given and" not in out.lower()
    assert "sources you" not in out.lower()


@pytest.mark.parametrize(
    "text",
    [
        "Failure teaches. Answer from the sources you trust, not from fear.",
        "Be warm and plain with yourself.",
        "Cite what you use",
        "",
        " \n",
        "Übung — 😀 macht\nden Meister.",
    ],
)
def test_whatever_else_goes_out_whole_in_whatever_pieces(text: str) -> None:
    assert passed_on(text) == (text, False)
    assert passed_on(*text) == (text, False)


def test_an_ordinary_word_is_not_held_back_until_it_is_whole() -> None:
    assert PromptGuard(PROMPT).feed("Fail")[0] == "Fail"


def test_a_few_words_of_the_prompt_wait_for_the_next() -> None:
    guard = PromptGuard(PROMPT)

    assert guard.feed("Answer from the sour")[0] == "Answer from the "
    assert guard.feed("ces of joy")[0] == "sources of joy"


@pytest.mark.parametrize("node", ["intent", "response", "suggestions"])
def test_each_prompt_is_known_by_any_of_its_sentences(node: str) -> None:
    prompt = prompt_of(node).text
    words = prompt.split()
    assert all(recites(" ".join(words[at : at + 12]), prompt) for at in range(0, len(words) - 12, 7))
    assert not recites("Begin with what you know, then ask three people what they would pay for.", prompt)
