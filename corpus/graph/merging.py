"""Making one concept of several: what would happen, and doing it, by one and the same plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q

from corpus.errors import InvalidGraph
from corpus.graph.curation import edited_by
from corpus.graph.linking import names_of
from corpus.graph.work import work_request
from corpus.models import (
    Alias,
    Concept,
    ConceptProposal,
    GraphWork,
    Mention,
    Persona,
    Relationship,
    RelationshipProposal,
)
from corpus.models.proposals import Proposal
from corpus.naming.index import MAX_COUNT

REASON = "merged"


@dataclass(frozen=True, slots=True)
class Joined:
    """A relationship that is there twice once the concepts are one."""

    relationship: Relationship
    into: Relationship


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What merging concepts into one does to everything that hangs on them."""

    kept: Concept
    merged: tuple[Concept, ...]
    moved: tuple[Relationship, ...]
    joined: tuple[Joined, ...]
    dropped: tuple[Relationship, ...]
    """Relationships between the merged concepts: they would relate the concept to itself."""
    new_aliases: tuple[str, ...]
    aliases: tuple[Alias, ...]
    """The merged concepts' aliases, which the kept one takes over."""
    personas: tuple[Persona, ...]
    """Those that begin to care about the kept concept."""
    chunks_moved: int
    chunks_summed: int


def merge_plan(*, kept: Concept, merged: Sequence[Concept]) -> MergePlan:
    """What would happen. Raises InvalidGraph."""
    others = [concept for concept in merged if concept.pk != kept.pk]
    if not others:
        raise InvalidGraph("Choose at least two concepts to merge.")
    moved, joined, dropped = _relationships(kept, others)
    mentions = Mention.objects.filter(concept__in=others)
    have = set(kept.mentions.values_list("chunk_id", flat=True))
    chunks = set(mentions.values_list("chunk_id", flat=True))
    taken = {kept.name.casefold(), *(name.casefold() for name in Alias.objects.values_list("name", flat=True))}
    personas = Persona.objects.filter(concepts__in=others).exclude(concepts=kept).distinct()
    return MergePlan(
        kept=kept,
        merged=tuple(others),
        moved=tuple(moved),
        joined=tuple(joined),
        dropped=tuple(dropped),
        new_aliases=tuple(concept.name for concept in others if concept.name.casefold() not in taken),
        aliases=tuple(Alias.objects.filter(concept__in=others).order_by("name")),
        personas=tuple(personas),
        chunks_moved=len(chunks - have),
        chunks_summed=len(chunks & have),
    )


def concepts_merge(*, kept: Concept, merged: Sequence[Concept], by: Any = None) -> MergePlan:
    """Make one concept of all, in one transaction; what was done. Raises InvalidGraph.

    Mentions, relationships with their proofs, aliases and personas are kept; the merged names become aliases.
    """
    with transaction.atomic():
        wanted = {kept.pk, *(concept.pk for concept in merged)}
        locked = {one.pk: one for one in Concept.objects.select_for_update().filter(pk__in=wanted).order_by("pk")}
        if wanted != locked.keys():
            raise InvalidGraph("One of these concepts is gone; somebody deleted or merged it meanwhile.")
        target = locked.pop(kept.pk)
        plan = merge_plan(kept=target, merged=list(locked.values()))
        names = names_of(plan.merged)
        _carry_out(plan, by)
        _move_mentions(plan)
        _move_proposals(plan)
        if not target.summary:
            target.summary = next((one.summary for one in plan.merged if one.summary), "")
        edited_by(target, by, f"{REASON}: {', '.join(one.name for one in plan.merged)}")
        target.save()
        for concept in plan.merged:
            edited_by(concept, by, f"{REASON} into {target.name}")
            concept.delete()
        for name in plan.new_aliases:
            alias = Alias(concept=target, name=name)
            edited_by(alias, by, REASON)
            alias.save()
        work_request(GraphWork.Kind.LINKING, names)
    return plan


def _relationships(
    kept: Concept, others: Sequence[Concept]
) -> tuple[list[Relationship], list[Joined], list[Relationship]]:
    """What moves, what is joined with another, what is dropped."""
    ids = {kept.pk, *(concept.pk for concept in others)}
    touching = Relationship.objects.filter(Q(source__in=ids) | Q(target__in=ids))
    found = list(touching.select_related("source", "target", "kind", "proof").order_by("pk"))
    # The kept concept's own come first: what is there stays, what comes is joined to it.
    found.sort(key=lambda one: kept.pk not in {one.source_id, one.target_id})
    moved, joined, dropped = [], [], []
    there: dict[tuple[int, int, str], Relationship] = {}
    for one in found:
        ends = tuple(kept.pk if end in ids else end for end in (one.source_id, one.target_id))
        place = (ends[0], ends[1], one.kind_id)
        if ends[0] == ends[1]:
            dropped.append(one)
        elif place in there:
            joined.append(Joined(one, there[place]))
        else:
            there[place] = one
            if ends != (one.source_id, one.target_id):
                moved.append(one)
    return moved, joined, dropped


def _carry_out(plan: MergePlan, by: Any) -> None:
    ids = {concept.pk for concept in plan.merged}
    for pair in plan.joined:
        pair.into.weight = max(pair.into.weight, pair.relationship.weight)
        pair.into.proof = pair.into.proof or pair.relationship.proof
    gone = [*plan.dropped, *(pair.relationship for pair in plan.joined)]
    for relationship in gone:
        edited_by(relationship, by, REASON)
        relationship.delete()
    for relationship in plan.moved:
        if relationship.source_id in ids:
            relationship.source = plan.kept
        if relationship.target_id in ids:
            relationship.target = plan.kept
    for relationship in {one.pk: one for one in (*plan.moved, *(pair.into for pair in plan.joined))}.values():
        edited_by(relationship, by, REASON)
        relationship.save()
    for alias in plan.aliases:
        alias.concept = plan.kept
        edited_by(alias, by, REASON)
        alias.save()
    for persona in plan.personas:
        edited_by(persona, by, REASON)
        persona.concepts.add(plan.kept)


def _move_mentions(plan: MergePlan) -> None:
    have = {mention.chunk_id: mention for mention in plan.kept.mentions.all()}
    changed: list[Mention] = []
    for mention in Mention.objects.filter(concept__in=plan.merged).order_by("pk"):
        present = have.get(mention.chunk_id)
        if present is None:
            have[mention.chunk_id] = mention
            mention.concept = plan.kept
            changed.append(mention)
        else:
            present.count = min(present.count + mention.count, MAX_COUNT)
            changed.append(present)
    Mention.objects.bulk_update({one.pk: one for one in changed}.values(), ["concept", "count"], batch_size=500)


def _move_proposals(plan: MergePlan) -> None:
    """What an editor rejected stays rejected for the kept concept; open proposals are computed anew."""
    ConceptProposal.objects.filter(concept__in=plan.merged).update(concept=plan.kept)
    ids = {concept.pk for concept in plan.merged}
    touching = RelationshipProposal.objects.filter(Q(one__in=ids) | Q(other__in=ids))
    for proposal in touching.exclude(state=Proposal.State.OPEN):
        ends = sorted(plan.kept.pk if end in ids else end for end in (proposal.one_id, proposal.other_id))
        present = RelationshipProposal.objects.filter(one=ends[0], other=ends[1])
        if ends[0] == ends[1] or present.exclude(state=Proposal.State.OPEN).exists():
            continue
        present.delete()
        RelationshipProposal.objects.filter(pk=proposal.pk).update(one=ends[0], other=ends[1])
