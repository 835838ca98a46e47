"""What lies around a concept or a persona, for looking at: the nearest concepts, so many at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, F, Max, Q, When

from corpus.models import Concept, Persona, Relationship

PAGE = 40
"""Neighbours shown at once: more is a ball of wool."""
MAX_EDGES = 300


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Some neighbours of a centre, strongest relation first, and the relationships among all that are shown."""

    neighbours: tuple[Concept, ...]
    relationships: tuple[Relationship, ...]
    total: int
    """Neighbours there are."""
    shown: int
    """Of these, how many come up to and with this page."""


def concept_neighbourhood(concept: Concept, *, after: int = 0) -> Neighbourhood:
    """The neighbours of a concept from the one after so many on."""
    touching = Relationship.objects.filter(Q(source=concept) | Q(target=concept))
    other = Case(When(source=concept, then=F("target")), default=F("source"))
    ordered = touching.annotate(other=other).values("other").annotate(best=Max("weight")).order_by("-best", "other")
    total = ordered.count()
    ids = [row["other"] for row in ordered[after : after + PAGE]]
    found = Concept.objects.in_bulk(ids)
    return Neighbourhood(
        neighbours=tuple(found[one] for one in ids if one in found),
        relationships=_among([concept.pk, *ids], touching=ids),
        total=total,
        shown=min(after + PAGE, total),
    )


def persona_neighbourhood(persona: Persona, *, after: int = 0) -> Neighbourhood:
    """The concepts a persona cares about, by name, from the one after so many on."""
    concepts = persona.concepts.order_by("name")
    total = concepts.count()
    page = tuple(concepts[after : after + PAGE])
    ids = [concept.pk for concept in page]
    return Neighbourhood(page, _among(ids, touching=ids), total=total, shown=min(after + PAGE, total))


def _among(ids: Sequence[int], *, touching: Sequence[int]) -> tuple[Relationship, ...]:
    """The strongest relationships with both ends shown and at least one end new on this page."""
    within = Relationship.objects.filter(source__in=ids, target__in=ids)
    new = within.filter(Q(source__in=touching) | Q(target__in=touching))
    rows = new.select_related("source", "target", "kind", "proof__document").order_by("-weight", "pk")
    return tuple(rows[:MAX_EDGES])
