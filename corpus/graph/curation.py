"""Writing the graph's record: concepts with their names, relationships, and what becomes of proposals."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Now

from corpus.errors import InvalidGraph
from corpus.graph.linking import names_of
from corpus.graph.work import work_request
from corpus.models import (
    Alias,
    Chunk,
    Concept,
    ConceptProposal,
    GraphWork,
    Relationship,
    RelationshipKind,
    RelationshipProposal,
)
from corpus.models.proposals import Proposal
from corpus.naming.index import lookup_keys, name_key


def edited_by(row: models.Model, by: Any, reason: str = "") -> None:
    """Name the editor and the reason for a row's history; without an editor it is the request's user."""
    if by is not None:
        row._history_user = by  # type: ignore[attr-defined]
    if reason:
        row._change_reason = reason[:100]  # type: ignore[attr-defined]


def name_owner(name: str, *, besides: int | None = None) -> Concept | None:
    """The concept that has this name or an alias of it already, in any case and number."""
    key = name_key(name)
    for owner, taken in [
        *Concept.objects.filter(name_keys__overlap=_keys(name)).values_list("pk", "name"),
        *Alias.objects.filter(name_keys__overlap=_keys(name)).values_list("concept_id", "name"),
    ]:
        if owner != besides and (taken.casefold() == name.casefold() or (key and name_key(taken) == key)):
            return Concept.objects.get(pk=owner)
    return None


def concept_create(*, name: str, summary: str = "", aliases: Iterable[str] = (), by: Any = None) -> Concept:
    """A new concept, whose mentions a worker finds. Raises InvalidGraph."""
    with transaction.atomic():
        if (owner := name_owner(name)) is not None:
            raise InvalidGraph(f"“{name}” is a name of the concept “{owner}” already.")
        concept = Concept(name=name, summary=summary)
        edited_by(concept, by)
        _saved(concept)
        for alias in aliases:
            _saved(Alias(concept=concept, name=alias))
        concept_names_changed(concept, before=())
    return concept


def concept_names_changed(concept: Concept, *, before: Iterable[str]) -> None:
    """Have the mentions found anew of every name that a concept was given or lost."""
    work_request(GraphWork.Kind.LINKING, set(before) ^ set(names_of([concept])))


def concepts_delete(concepts: Iterable[Concept], *, by: Any = None) -> None:
    """Delete concepts with their names, mentions and relationships."""
    with transaction.atomic():
        found = list(concepts)
        work_request(GraphWork.Kind.LINKING, names_of(found))
        for concept in found:
            edited_by(concept, by)
            concept.delete()


def relationship_create(
    *, source: Concept, target: Concept, kind: RelationshipKind, weight: int, proof: Chunk | None, by: Any = None
) -> Relationship:
    """A new relationship. Raises InvalidGraph."""
    relationship = Relationship(source=source, target=target, kind=kind, weight=weight, proof=proof)
    edited_by(relationship, by)
    _saved(relationship)
    return relationship


def concept_proposal_accept(*, proposal: ConceptProposal, by: Any = None) -> Concept:
    """Make a concept of a proposal. Raises InvalidGraph."""
    with transaction.atomic():
        stored = _open(ConceptProposal.objects, proposal)
        concept = concept_create(name=stored.name.strip(), summary=stored.summary, by=by)
        stored.concept = concept
        _decide(stored, Proposal.State.ACCEPTED, by)
    return concept


def relationship_proposal_accept(*, proposal: RelationshipProposal, by: Any = None) -> Relationship:
    """Make a relationship of a proposal, proved by the chunk of its sentence. Raises InvalidGraph."""
    with transaction.atomic():
        stored = _open(RelationshipProposal.objects.select_related("one", "other", "kind", "chunk"), proposal)
        if stored.kind is None:
            raise InvalidGraph("Choose the kind of relationship first.")
        if stored.chunk is None:
            raise InvalidGraph("The sentence that suggested it is no longer in the library.")
        source, target = (stored.other, stored.one) if stored.reverse else (stored.one, stored.other)
        relationship = relationship_create(
            source=source, target=target, kind=stored.kind, weight=stored.weight, proof=stored.chunk, by=by
        )
        _decide(stored, Proposal.State.ACCEPTED, by)
    return relationship


def proposal_reject(*, proposal: Proposal, by: Any = None) -> None:
    """Refuse a proposal: it is not made again. Raises InvalidGraph."""
    with transaction.atomic():
        _decide(_open(type(proposal)._default_manager, proposal), Proposal.State.REJECTED, by)


def proposal_reopen(*, proposal: Proposal) -> None:
    """Take back a rejection."""
    found = type(proposal)._default_manager.filter(pk=proposal.pk, state=Proposal.State.REJECTED)
    found.update(state=Proposal.State.OPEN, decided_at=None, decided_by=None)


def proposals_each(
    proposals: Iterable[Any], act: Callable[..., object], *, by: Any = None
) -> tuple[int, Sequence[str]]:
    """Do the same with many; how many it was done with, and what stood in the way of the others."""
    done, problems = 0, []
    for proposal in proposals:
        try:
            act(proposal=proposal, by=by)
            done += 1
        except InvalidGraph as error:
            problems.append(f"{proposal}: {error}")
    return done, problems


def _keys(name: str) -> list[str]:
    return lookup_keys(name, first_only=True)


def _open(found: Any, proposal: Any) -> Any:
    stored = found.select_for_update(of=("self",)).filter(pk=proposal.pk).first()
    if stored is None or stored.state != Proposal.State.OPEN:
        raise InvalidGraph("It is no longer open.")
    return stored


def _decide(proposal: Any, state: Proposal.State, by: Any) -> None:
    proposal.state, proposal.decided_by = state, by
    proposal.decided_at = Now()
    proposal.save()


def _saved(row: models.Model) -> None:
    try:
        row.full_clean()
    except ValidationError as error:
        raise InvalidGraph(" ".join(error.messages)) from error
    row.save()
