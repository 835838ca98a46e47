import pytest

from corpus.errors import InvalidGraph
from corpus.graph.curation import (
    concept_create,
    concept_proposal_accept,
    proposal_reject,
    proposal_reopen,
    proposals_each,
    relationship_proposal_accept,
)
from corpus.graph.proposing import proposals_compute
from corpus.models import Chunk, Concept, ConceptProposal, Mention, Relationship, RelationshipProposal
from tests.corpus.conftest import Library

HOW = "A notice period gives you time, and small experiments use it."
WHY = "The notice period is shorter where a small experiment went well before."
BOTH = "Your fear of failing grows during the notice period."


@pytest.fixture
def chunks(library: Library) -> list[Chunk]:
    concept_create(name="Small experiment")
    concept_create(name="Fear of failing")
    pair = "A small experiment takes fear of failing away."
    boiler = "Sample text of the house style."
    return [
        *library.add("A", f"Notice Period Heading\n{HOW} {pair} {boiler}"),
        *library.add("B", f"{WHY} {boiler} {boiler}"),
        *library.add("C", f"{BOTH} {boiler}"),
    ]


def concepts() -> dict[str, str]:
    return dict(ConceptProposal.objects.values_list("name", "state"))


def test_a_repeated_phrase_beside_known_concepts_is_proposed_with_its_sentence(chunks: list[Chunk]) -> None:
    assert proposals_compute() == (1, 1)
    proposal = ConceptProposal.objects.get()
    assert (proposal.name, proposal.times, proposal.documents) == ("notice period", 3, 3)
    assert proposal.sentence in {HOW, WHY, BOTH}
    assert proposal.chunk
    assert proposal.sentence in proposal.chunk.text


def test_two_concepts_of_one_sentence_are_proposed_to_be_related(chunks: list[Chunk]) -> None:
    proposals_compute()
    proposal = RelationshipProposal.objects.get()
    assert {proposal.one.name, proposal.other.name} == {"Small experiment", "Fear of failing"}
    assert proposal.sentence == "A small experiment takes fear of failing away."


def test_nothing_proposed_is_in_the_graph(chunks: list[Chunk]) -> None:
    proposals_compute()
    assert (Concept.objects.count(), Relationship.objects.count(), Mention.objects.count()) == (2, 0, 0)


def test_what_is_rejected_does_not_come_back_unless_it_is_reopened(chunks: list[Chunk]) -> None:
    proposals_compute()
    proposal_reject(proposal=ConceptProposal.objects.get())
    proposal_reject(proposal=RelationshipProposal.objects.get())
    assert proposals_compute() == (0, 0)
    assert concepts() == {"notice period": "rejected"}
    proposal_reopen(proposal=ConceptProposal.objects.get())
    assert proposals_compute() == (1, 0)


def test_an_accepted_concept_is_one_and_is_not_proposed_again(chunks: list[Chunk]) -> None:
    proposals_compute()
    proposal = ConceptProposal.objects.get()
    proposal.name = "Notice period"
    proposal.save()
    assert concept_proposal_accept(proposal=proposal) == Concept.objects.get(name="Notice period")
    proposals_compute()
    assert concepts() == {"Notice period": "accepted"}
    with pytest.raises(InvalidGraph, match="no longer open"):
        proposal_reject(proposal=proposal)


def test_an_accepted_relationship_is_proved_by_the_chunk_of_its_sentence(chunks: list[Chunk]) -> None:
    proposals_compute()
    proposal = RelationshipProposal.objects.get()
    RelationshipProposal.objects.update(reverse=True, weight=8)
    made = relationship_proposal_accept(proposal=proposal)
    assert (made.source, made.target) == (proposal.other, proposal.one)
    assert (made.weight, made.kind_id, made.proof) == (8, "relates-to", chunks[0])
    proposals_compute()
    assert RelationshipProposal.objects.get().state == "accepted"


def test_an_editors_wording_outlives_the_next_computation(chunks: list[Chunk]) -> None:
    proposals_compute()
    ConceptProposal.objects.update(name="Period of notice", summary="Time left.")
    proposals_compute()
    proposal = ConceptProposal.objects.get()
    assert (proposal.name, proposal.summary) == ("Period of notice", "Time left.")


def test_what_is_no_longer_in_the_library_is_no_longer_proposed(chunks: list[Chunk], library: Library) -> None:
    proposals_compute()
    for document in library.documents.values():
        document.delete()
    assert proposals_compute() == (0, 0)
    assert concepts() == {}


def test_one_that_cannot_be_accepted_stops_none_of_the_others(chunks: list[Chunk]) -> None:
    proposals_compute()
    ConceptProposal.objects.create(key="x", name="Fears of failing", sentence="x")
    done, problems = proposals_each(ConceptProposal.objects.order_by("pk"), concept_proposal_accept)
    assert done == 1
    assert "is a name of the concept “Fear of failing” already" in problems[0]
