import pytest

from corpus.errors import InvalidGraph
from corpus.graph.curation import concept_create
from corpus.graph.linking import mentions_link
from corpus.graph.merging import concepts_merge, merge_plan
from corpus.graph.work import work_do
from corpus.models import (
    Alias,
    Chunk,
    Concept,
    ConceptProposal,
    Mention,
    Persona,
    Relationship,
    RelationshipKind,
    RelationshipProposal,
)
from tests.corpus.conftest import Library


@pytest.fixture
def chunks(library: Library) -> list[Chunk]:
    chunks = library.add("A", "Fear and dread.", "Dread, dread.", "Angst and fear.", "money")
    names = {"Fear": (), "Dread": ("angst",), "Money": (), "Courage": ()}
    for name, aliases in names.items():
        concept_create(name=name, aliases=aliases, summary=f"About {name.lower()}." if name == "Dread" else "")
    mentions_link(chunk_ids=[chunk.pk for chunk in chunks])
    return chunks


@pytest.fixture
def kinds(db: None) -> list[RelationshipKind]:
    return [RelationshipKind.objects.create(slug=slug, label=slug) for slug in ("helps", "needs")]


def concept(name: str) -> Concept:
    return Concept.objects.get(name=name)


def relate(source: str, target: str, kind: RelationshipKind, weight: int = 5, proof: Chunk | None = None) -> int:
    row = Relationship.objects.create(
        source=concept(source), target=concept(target), kind=kind, weight=weight, proof=proof
    )
    return row.pk


def relations() -> list[tuple[str, str, str, int, int | None]]:
    rows = Relationship.objects.order_by("pk")
    return [(one.source.name, one.kind_id, one.target.name, one.weight, one.proof_id) for one in rows]


def counts() -> dict[int, int]:
    return dict(Mention.objects.filter(concept__name="Fear").values_list("chunk_id", "count"))


def test_mentions_are_kept_and_added_up_on_the_same_chunk(chunks: list[Chunk]) -> None:
    concepts_merge(kept=concept("Fear"), merged=[concept("Dread")])
    merged = {chunks[0].pk: 2, chunks[1].pk: 2, chunks[2].pk: 2}
    assert counts() == merged
    work_do()
    assert counts() == merged


def test_relationships_move_join_and_drop_with_their_proofs(chunks: list[Chunk], kinds: list[RelationshipKind]) -> None:
    helps, needs = kinds
    relate("Money", "Fear", helps, 3)
    relate("Money", "Dread", helps, 8, chunks[3])
    relate("Dread", "Courage", needs, 4, chunks[0])
    relate("Fear", "Dread", needs)
    plan = concepts_merge(kept=concept("Fear"), merged=[concept("Dread"), concept("Fear")])
    assert relations() == [("Money", "helps", "Fear", 8, chunks[3].pk), ("Fear", "needs", "Courage", 4, chunks[0].pk)]
    assert (len(plan.moved), len(plan.joined), len(plan.dropped)) == (1, 1, 1)


def test_names_become_aliases_and_personas_and_summary_are_kept(chunks: list[Chunk]) -> None:
    persona = Persona.objects.create(slug="careful", name="Careful")
    persona.concepts.set([concept("Dread"), concept("Money")])
    concepts_merge(kept=concept("Fear"), merged=[concept("Dread")])
    assert set(Alias.objects.filter(concept__name="Fear").values_list("name", flat=True)) == {"Dread", "angst"}
    assert set(persona.concepts.values_list("name", flat=True)) == {"Fear", "Money"}
    assert concept("Fear").summary == "About dread."
    assert not Concept.objects.filter(name="Dread").exists()


def test_the_history_keeps_what_was_before(chunks: list[Chunk], kinds: list[RelationshipKind]) -> None:
    gone = concept("Dread").pk
    relationship = relate("Dread", "Courage", kinds[0])
    concepts_merge(kept=concept("Fear"), merged=[concept("Dread")])
    last = Concept.history.filter(id=gone).first()
    assert (last.history_type, last.name, last.history_change_reason) == ("-", "Dread", "merged into Fear")
    assert [row.source_id for row in Relationship.history.filter(id=relationship)] == [concept("Fear").pk, gone]


def test_what_was_rejected_stays_rejected_for_the_one_that_is_kept(chunks: list[Chunk]) -> None:
    one, other = sorted([concept("Dread"), concept("Money")], key=lambda each: each.pk)
    RelationshipProposal.objects.create(one=one, other=other, state="rejected", sentence="x")
    ConceptProposal.objects.create(key="dread", name="Dread", state="accepted", concept=concept("Dread"), sentence="x")
    concepts_merge(kept=concept("Fear"), merged=[concept("Dread")])
    kept = RelationshipProposal.objects.get()
    assert ({kept.one, kept.other}, kept.state) == ({concept("Fear"), concept("Money")}, "rejected")
    assert ConceptProposal.objects.get().concept == concept("Fear")


def test_the_plan_changes_nothing(chunks: list[Chunk], kinds: list[RelationshipKind]) -> None:
    relate("Money", "Fear", kinds[0])
    relate("Money", "Dread", kinds[0])
    before = (relations(), counts())
    plan = merge_plan(kept=concept("Fear"), merged=[concept("Dread")])
    assert (plan.chunks_moved, plan.chunks_summed, plan.new_aliases) == (1, 2, ("Dread",))
    assert (relations(), counts()) == before


def test_one_alone_and_one_that_is_gone_are_refused(chunks: list[Chunk]) -> None:
    fear, dread = concept("Fear"), concept("Dread")
    with pytest.raises(InvalidGraph, match="at least two"):
        concepts_merge(kept=fear, merged=[fear])
    Concept.objects.filter(pk=dread.pk).delete()
    with pytest.raises(InvalidGraph, match="is gone"):
        concepts_merge(kept=fear, merged=[dread])
