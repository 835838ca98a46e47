"""Which sources answer which intent: the table retrieval follows. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from corpus.taxonomy import Authority, ContentType
from pipeline.turn import IntentKind

LOW_CONFIDENCE = 0.5
"""The confidence under which an intent is more likely wrong than right, and its filter hides more than it finds."""


@dataclass(frozen=True, slots=True)
class IntentRow:
    """The sources of one intent. With `full_corpus` the phases are open to all and may use each other's free slots."""

    authorities: tuple[Authority, ...]
    content_types: tuple[ContentType, ...]
    full_corpus: bool = False


_EVERYTHING = IntentRow(tuple(Authority), tuple(ContentType), full_corpus=True)

INTENT_TABLE: Mapping[IntentKind, IntentRow] = {
    IntentKind.CONCEPT_EXPLANATION: IntentRow(
        (Authority.PRIMARY, Authority.SUPPLEMENTARY),
        (ContentType.BOOK_CHAPTER, ContentType.FRAMEWORK),
    ),
    IntentKind.ACTIONABLE_ADVICE: IntentRow(
        (Authority.PRIMARY, Authority.SUPPLEMENTARY),
        (ContentType.EXERCISE, ContentType.WORKSHEET, ContentType.CASE_STUDY),
    ),
    IntentKind.PERSONAL_STORY: IntentRow(
        (Authority.PRIMARY,),
        (ContentType.BIOGRAPHY, ContentType.INTERVIEW, ContentType.ANECDOTE),
    ),
    IntentKind.BOOK_REFERENCE: IntentRow(
        (Authority.PRIMARY,),
        (ContentType.BOOK_CHAPTER, ContentType.QUOTE),
    ),
    IntentKind.CASE_STUDY: IntentRow(
        (Authority.PRIMARY, Authority.SUPPLEMENTARY, Authority.ILLUSTRATIVE),
        (ContentType.CASE_STUDY, ContentType.EXAMPLE),
    ),
    IntentKind.EXPLORATION: _EVERYTHING,
    IntentKind.GENERAL: _EVERYTHING,
}


def strategy_of(kind: IntentKind, confidence: float) -> IntentKind:
    """The intent whose row retrieval follows: the general one when the intent itself is a guess."""
    return kind if confidence >= LOW_CONFIDENCE else IntentKind.GENERAL


def intents_reaching(authority: Authority, content_type: ContentType) -> tuple[IntentKind, ...]:
    """The intents whose search reaches documents of this kind."""
    return tuple(
        kind for kind, row in INTENT_TABLE.items() if authority in row.authorities and content_type in row.content_types
    )
