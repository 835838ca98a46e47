"""When words stand in a text."""

import pytest

from corpus.taxonomy import Authority
from pipeline.quotations import best_sentence, keeps_marks, proved_by, stands_in
from tests.pipeline.fakes import source_of

TEXT = "Start small — “stay hungry”. The art is in\nthe doing, and nobody else can do it."


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("the art is IN the doing", True),
        ("start small - 'stay hungry'", True),
        ("The art is in the doing … nobody else can do it.", True),
        ("the doing ... the art", False),
        ("art is in the do", False),
        ("something else entirely said", False),
        ("", False),
    ],
)
def test_capitals_quotes_dashes_and_spaces_do_not_count(quote: str, stands: bool) -> None:
    assert stands_in(quote, TEXT) is stands


def test_the_highest_authority_proves() -> None:
    sources = [source_of(1, TEXT, Authority.SUPPORTING), source_of(2, TEXT)]

    assert proved_by("the art is in the doing", sources) is Authority.PRIMARY
    assert proved_by("quite another sentence than that", sources) is None


def test_whether_the_author_is_named_may_not_be_known_yet() -> None:
    sources = [source_of(1, TEXT, Authority.SUPPLEMENTARY)]
    quote = "the art is in the doing"

    assert keeps_marks(quote, f"“{quote}", ", says", sources, final=False) is None
    assert keeps_marks(quote, f"“{quote}", ", says Jay Samit. ", sources, final=False) is False
    assert keeps_marks(quote, f"“{quote}", ", says she. Then", sources, final=False) is True
    assert keeps_marks(quote, f"“{quote}", ", says", sources, final=True) is True


def test_the_best_sentence_shares_most_words() -> None:
    text = "Nothing here. Habits resist change for years. Change is."

    assert best_sentence("Why habits resist", text) == "Habits resist change for years."
    assert best_sentence("Why", "") == ""
