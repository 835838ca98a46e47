import pytest

from corpus.taxonomy import Authority, ContentType
from pipeline.intents import INTENT_TABLE, intents_reaching, strategy_of
from pipeline.turn import IntentKind


def test_every_intent_has_a_row() -> None:
    assert set(INTENT_TABLE) == set(IntentKind)


@pytest.mark.parametrize(
    ("kind", "authorities", "content_types"),
    [
        ("concept_explanation", "primary supplementary", "book_chapter framework"),
        ("actionable_advice", "primary supplementary", "exercise worksheet case_study"),
        ("personal_story", "primary", "biography interview anecdote"),
        ("book_reference", "primary", "book_chapter quote"),
        ("case_study", "primary supplementary illustrative", "case_study example"),
    ],
)
def test_a_row_says_which_sources_answer(kind: str, authorities: str, content_types: str) -> None:
    row = INTENT_TABLE[IntentKind(kind)]
    assert (" ".join(row.authorities), " ".join(row.content_types)) == (authorities, content_types)
    assert not row.full_corpus


def test_exploration_and_general_read_the_full_corpus() -> None:
    full = [kind for kind, row in INTENT_TABLE.items() if row.full_corpus]
    assert full == [IntentKind.EXPLORATION, IntentKind.GENERAL]
    assert INTENT_TABLE[IntentKind.GENERAL].content_types == tuple(ContentType)


def test_a_guessed_intent_is_searched_as_general() -> None:
    assert strategy_of(IntentKind.CASE_STUDY, 0.49) is IntentKind.GENERAL
    assert strategy_of(IntentKind.CASE_STUDY, 0.5) is IntentKind.CASE_STUDY


def test_an_article_is_reached_by_the_full_corpus_only() -> None:
    kinds = intents_reaching(Authority.SUPPLEMENTARY, ContentType.ARTICLE)
    assert kinds == (IntentKind.EXPLORATION, IntentKind.GENERAL)
