"""Which kinds of question reach which documents: a table that the pipeline fills in, since it alone knows.

The library knows no intents. Whoever searches it tells here what its searches reach, and editors see it beside the
labels that decide it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from corpus.admin.pages import DocumentPages
from corpus.taxonomy import AUTHORITY_LABELS, CONTENT_TYPE_LABELS, Authority, ContentType

Reaching = Callable[[Authority, ContentType], Sequence[str]]
"""The names of the kinds of question whose search reaches documents of this authority and content type."""

_reaching: list[Reaching] = []


def reach_tell(reaching: Reaching) -> None:
    """Have a search's reach shown to editors."""
    _reaching.append(reaching)


@dataclass(frozen=True, slots=True)
class Cell:
    """What reaches one authority and content type."""

    authority: Authority
    content_type: ContentType
    intents: tuple[str, ...]

    @property
    def label(self) -> str:
        """The authority in one word."""
        return self.authority.capitalize()


@dataclass(frozen=True, slots=True)
class Row:
    """One content type under every authority, the most trusted first."""

    content_type: ContentType
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        """The content type's name."""
        return CONTENT_TYPE_LABELS[self.content_type]


def reach_of(authority: Authority, content_type: ContentType) -> tuple[str, ...]:
    """The names of all that reaches documents of this kind; empty when nobody told."""
    return tuple(dict.fromkeys(name for reaching in _reaching for name in reaching(authority, content_type)))


def reach_table() -> list[Row]:
    """Every content type with what reaches it."""
    return [
        Row(kind, tuple(Cell(authority, kind, reach_of(authority, kind)) for authority in Authority))
        for kind in ContentType
    ]


def reach_page(request: HttpRequest, *, pages: DocumentPages) -> HttpResponse:
    """The whole table, with what it means."""
    if not pages.documents.has_view_permission(request):
        raise PermissionDenied
    meanings = [(authority.capitalize(), AUTHORITY_LABELS[authority].partition(": ")[2]) for authority in Authority]
    context = pages.context(request, title="Which questions reach what") | {
        "rows": reach_table(),
        "authorities": meanings,
    }
    return render(request, "admin/corpus/document/reach.html", context)
