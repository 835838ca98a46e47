"""The graph's record as the graph store keeps it: for each kind its keys in order, and the present row of a key.

A row is a plain mapping, of the same shape on both sides, so that comparing them is comparing two mappings.
"""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any

from corpus.models import Alias, Concept, Document, GraphChange, Mention, Persona, Relationship

Kind = GraphChange.Kind
KINDS = (Kind.CONCEPT, Kind.RELATIONSHIP, Kind.PERSONA, Kind.CHUNK)
"""What the graph store keeps, in the order in which one needs the other."""

Key = int | str
Row = dict[str, Any]
Rows = dict[Key, Row]


def key_of(kind: str, text: str) -> Key:
    """A key as both sides sort it: numbers, but for personas."""
    return text if kind == Kind.PERSONA else int(text)


def keys_after(kind: str, key: Key | None, limit: int) -> list[Key]:
    """The next keys of a kind, in order; from the first one after None."""
    keys: Any
    match kind:
        case Kind.CONCEPT:
            keys = Concept.objects.order_by("id").values_list("id", flat=True)
        case Kind.RELATIONSHIP:
            keys = Relationship.objects.order_by("id").values_list("id", flat=True)
        case Kind.PERSONA:
            keys = Persona.objects.order_by("id").values_list("id", flat=True)
            after = uuid.UUID(str(key)) if key else None
            return [str(found) for found in (keys.filter(id__gt=after) if after else keys)[:limit]]
        case Kind.CHUNK:
            keys = _published().order_by("chunk_id").values_list("chunk_id", flat=True).distinct()
            return list((keys if key is None else keys.filter(chunk_id__gt=key))[:limit])
        case _:
            raise ValueError(kind)
    return list((keys if key is None else keys.filter(id__gt=key))[:limit])


def rows_of(kind: str, keys: Collection[Key]) -> Rows:
    """The present rows of these keys; a key without one is not, or no longer, to be in the graph."""
    return _READERS[kind](list(keys)) if keys else {}


def chunks_of(document: str) -> list[Key]:
    """The chunks of a document that name a concept."""
    return list(
        Mention.objects.filter(chunk__document=uuid.UUID(document)).values_list("chunk_id", flat=True).distinct()
    )


def _concepts(keys: Sequence[Any]) -> Rows:
    aliases: defaultdict[int, list[str]] = defaultdict(list)
    for concept, alias in Alias.objects.filter(concept__in=keys).order_by("name").values_list("concept_id", "name"):
        aliases[concept].append(alias)
    found = Concept.objects.filter(pk__in=keys).values_list("id", "name")
    return {key: {"id": key, "name": name, "aliases": aliases[key]} for key, name in found}


def _relationships(keys: Sequence[Any]) -> Rows:
    found = Relationship.objects.filter(pk__in=keys)
    names = ("id", "source", "target", "kind", "weight", "proof")
    rows = found.values_list("id", "source_id", "target_id", "kind_id", "weight", "proof_id")
    return {row[0]: dict(zip(names, row, strict=True)) for row in rows}


def _personas(keys: Sequence[Any]) -> Rows:
    rows: Rows = {
        str(key): {"id": str(key), "slug": slug, "concepts": []}
        for key, slug in Persona.objects.filter(pk__in=keys).values_list("id", "slug")
    }
    cared = Persona.concepts.through.objects.filter(persona__in=list(rows)).order_by("concept_id")
    for persona, concept in cared.values_list("persona_id", "concept_id"):
        rows[str(persona)]["concepts"].append(concept)
    return rows


def _chunks(keys: Sequence[Any]) -> Rows:
    rows: Rows = {}
    found = _published().filter(chunk__in=keys).order_by("chunk_id", "concept_id")
    for chunk, concept, count in found.values_list("chunk_id", "concept_id", "count"):
        rows.setdefault(chunk, {"id": chunk, "mentions": []})["mentions"].append([concept, count])
    return rows


def _published() -> Any:
    return Mention.objects.filter(chunk__document__status=Document.Status.PUBLISHED)


_READERS: dict[str, Callable[[Sequence[Any]], Rows]] = {
    Kind.CONCEPT: _concepts,
    Kind.RELATIONSHIP: _relationships,
    Kind.PERSONA: _personas,
    Kind.CHUNK: _chunks,
}
