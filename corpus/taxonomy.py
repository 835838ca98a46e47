"""The words everyone shares: how far a source is trusted, and what kind of text it is.

Pure: no Django, no database. An authority and a content type together make a *scope*, the small integer that stands on
every vector and posting so that a filter is part of the index (see docs/architecture.md).
"""

from collections.abc import Iterable
from enum import StrEnum


class Authority(StrEnum):
    """How far a source is trusted, highest first."""

    PRIMARY = "primary"
    SUPPLEMENTARY = "supplementary"
    ILLUSTRATIVE = "illustrative"
    SUPPORTING = "supporting"


class ContentType(StrEnum):
    """What kind of text a document is."""

    BOOK_CHAPTER = "book_chapter"
    FRAMEWORK = "framework"
    EXERCISE = "exercise"
    WORKSHEET = "worksheet"
    CASE_STUDY = "case_study"
    BIOGRAPHY = "biography"
    INTERVIEW = "interview"
    ANECDOTE = "anecdote"
    QUOTE = "quote"
    EXAMPLE = "example"
    ARTICLE = "article"


# The numbers are stored: append, never renumber.
_AUTHORITY_NUMBER = {
    Authority.PRIMARY: 1,
    Authority.SUPPLEMENTARY: 2,
    Authority.ILLUSTRATIVE: 3,
    Authority.SUPPORTING: 4,
}
_CONTENT_TYPE_NUMBER = {content_type: number for number, content_type in enumerate(ContentType, start=1)}
_CONTENT_TYPES_AN_AUTHORITY = 100

AUTHORITY_RANK = {authority: rank for rank, authority in enumerate(Authority)}
"""0 for the most trusted authority; the order that breaks ties."""

AUTHORITY_LABELS = {
    Authority.PRIMARY: "Primary: works of the author and the society",
    Authority.SUPPLEMENTARY: "Supplementary: curated third-party sources",
    Authority.ILLUSTRATIVE: "Illustrative: examples and stories",
    Authority.SUPPORTING: "Supporting: general background",
}
CONTENT_TYPE_LABELS = {content_type: content_type.replace("_", " ").capitalize() for content_type in ContentType}


def scope_of(authority: Authority, content_type: ContentType) -> int:
    """The scope of one authority and one content type, e.g. 101 for a primary book chapter."""
    return _AUTHORITY_NUMBER[authority] * _CONTENT_TYPES_AN_AUTHORITY + _CONTENT_TYPE_NUMBER[content_type]


def scopes_of(authorities: Iterable[Authority], content_types: Iterable[ContentType]) -> tuple[int, ...]:
    """Every scope of the given authorities and content types, ascending and without repeats."""
    kinds = tuple(content_types)
    return tuple(sorted({scope_of(authority, kind) for authority in authorities for kind in kinds}))
