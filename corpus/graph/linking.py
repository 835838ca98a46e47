"""Mentions: which chunks name which concepts, kept true as chunks and names change."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from corpus.graph.locks import names_reading
from corpus.models import Alias, Chunk, Concept, GraphWork, Mention
from corpus.naming.index import NameIndex, concepts_named

__all__ = ["NameIndex", "concepts_named", "mentions_link", "mentions_relink_batch", "names_all", "names_of"]

BATCH = 500
"""Chunks looked at in one transaction: about a quarter of a second."""


def names_all() -> list[tuple[str, int]]:
    """Every name and alias with its concept."""
    return [*Concept.objects.values_list("name", "pk"), *Alias.objects.values_list("name", "concept_id")]


def names_of(concepts: Iterable[Concept]) -> list[str]:
    """The names and aliases of these concepts."""
    found = list(concepts)
    aliases = Alias.objects.filter(concept__in=found).values_list("name", flat=True)
    return [*(concept.name for concept in found), *aliases]


def mentions_link(*, chunk_ids: Sequence[int]) -> None:
    """Store anew which concepts these chunks mention."""
    with transaction.atomic():
        names_reading()
        chunks = Chunk.objects.filter(pk__in=chunk_ids).order_by("pk")
        _store(NameIndex(names_all()), list(chunks.values_list("pk", "text", "document__language")))


def mentions_relink_batch(work: GraphWork, index: NameIndex) -> bool:
    """Look at the next chunks for the changed names of this work; False when there were none left.

    A chunk that holds one of them is linked anew with all names: a longer name may hide a shorter one.
    """
    changed = NameIndex((name, 0) for name in work.names)
    chunks = Chunk.objects.filter(pk__gt=work.after).order_by("pk").values_list("pk", "text", "document__language")
    batch = list(chunks[:BATCH])
    if not batch:
        return False
    _store(index, [row for row in batch if changed.spans(row[1], row[2])])
    work.after, work.done = batch[-1][0], work.done + len(batch)
    work.total = max(work.total, work.done)
    work.save(update_fields=["after", "done", "total"])
    return True


def _store(index: NameIndex, chunks: Sequence[tuple[int, str, str]]) -> None:
    """Make the mentions of these chunks what the index finds; rows that are right stay as they are."""
    right = {
        (chunk, concept): count
        for chunk, text, language in chunks
        for concept, count in index.mentions(text, language).items()
    }
    stored = {
        (mention.chunk_id, mention.concept_id): mention
        for mention in Mention.objects.filter(chunk__in=[row[0] for row in chunks])
    }
    Mention.objects.filter(pk__in=[mention.pk for place, mention in stored.items() if place not in right]).delete()
    differing = [mention for place, mention in stored.items() if right.get(place, mention.count) != mention.count]
    for mention in differing:
        mention.count = right[(mention.chunk_id, mention.concept_id)]
    Mention.objects.bulk_update(differing, ["count"])
    new = sorted(place for place in right if place not in stored)
    # A concept that was deleted since its names were read is left out; another deletion's work comes after this.
    existing = set(Concept.objects.filter(pk__in={concept for _, concept in new}).values_list("pk", flat=True))
    Mention.objects.bulk_create(
        Mention(chunk_id=chunk, concept_id=concept, count=right[(chunk, concept)])
        for chunk, concept in new
        if concept in existing
    )
