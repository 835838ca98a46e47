"""The record carried into a real Neo4j, and both compared."""

from asyncio import run

import pytest

from corpus import services
from corpus.errors import GenerationLost, GraphUnavailable
from corpus.graph.address import GraphAddress
from corpus.graph.linking import mentions_link
from corpus.graph.neo4j_store import Neo4jGraph
from corpus.graph.neo4j_writer import Neo4jWriter, neo4j_writer
from corpus.graph.present import KINDS, keys_after, rows_of
from corpus.graph.projection import changes_skip, project, project_all, retired_remove, writing
from corpus.graph.rebuilding import graph_rebuild
from corpus.graph.reconciling import graph_reconcile
from corpus.graph.store import Edge
from corpus.models import Concept, Document, GraphChange, GraphGeneration, GraphStanding, Persona, Relationship
from tests.corpus.conftest import Library
from tests.corpus.graph.test_changes import Record

State = GraphGeneration.State


@pytest.fixture
def record(library: Library) -> Record:
    return Record(library)


@pytest.fixture
def built(record: Record, writer: Neo4jWriter) -> Record:
    """The record, and all of it in Neo4j."""
    graph_rebuild(writer)
    return record


def current() -> int:
    return GraphGeneration.objects.get(state=State.CURRENT).pk


def alike(writer: Neo4jWriter) -> bool:
    """Whether the current generation holds just what the record says."""
    return all(
        writer.rows_between(generation=current(), kind=kind, after=None, until=None)
        == rows_of(kind, keys_after(kind, None, 1_000))
        for kind in KINDS
    )


def repaired(writer: Neo4jWriter) -> int:
    report = graph_reconcile(writer)
    assert report is not None
    return sum(count.repaired for count in report.values())


def test_a_rebuild_writes_all_there_is(built: Record, writer: Neo4jWriter) -> None:
    assert alike(writer)
    rows = writer.rows_between(generation=current(), kind="chunk", after=None, until=None)
    assert rows[built.chunks[0].pk]["mentions"] == [[built.fear.pk, 1], [built.grit.pk, 1]]
    assert repaired(writer) == 0


def test_changes_are_carried_over_and_forgotten(built: Record, writer: Neo4jWriter) -> None:
    zeal = Concept.objects.create(name="Zeal")
    built.alias.delete()
    built.edge.weight = 9
    built.edge.source = zeal
    built.edge.save()
    built.persona.concepts.set([zeal])
    built.library.add("B", "zeal")
    mentions_link(chunk_ids=list(built.library.documents["B"].chunks.values_list("pk", flat=True)))
    assert not alike(writer)
    project_all(writer)
    assert alike(writer)
    assert not GraphChange.objects.exists()
    assert GraphStanding.objects.get().version > 0


@pytest.mark.parametrize("status", [Document.Status.WITHDRAWN, Document.Status.DRAFT])
def test_chunks_that_are_not_published_leave_the_graph_and_come_back(
    built: Record, writer: Neo4jWriter, status: str
) -> None:
    Document.objects.update(status=status)
    project_all(writer)
    assert writer.rows_between(generation=current(), kind="chunk", after=None, until=None) == {}
    Document.objects.update(status=Document.Status.PUBLISHED)
    project_all(writer)
    assert alike(writer)


def test_what_is_deleted_is_gone_from_every_generation(built: Record, writer: Neo4jWriter) -> None:
    services.document_delete(document=built.document)
    built.persona.delete()
    built.fear.delete()
    project_all(writer)
    assert alike(writer)
    assert [len(writer.rows_between(generation=current(), kind=k, after=None, until=None)) for k in KINDS] == [
        1,
        0,
        0,
        0,
    ]


def test_merging_two_concepts_leaves_nothing_to_repair(built: Record, writer: Neo4jWriter) -> None:
    zeal = Concept.objects.create(name="Zeal")
    Relationship.objects.update(target=zeal)
    built.persona.concepts.set([zeal])
    built.fear.delete()
    project_all(writer)
    assert alike(writer)
    assert repaired(writer) == 0


def test_a_worker_that_dies_before_its_end_leaves_the_changes_for_the_next(
    built: Record, writer: Neo4jWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    built.edge.delete()
    monkeypatch.setattr("corpus.graph.projection.changes_forget", _die)
    with pytest.raises(KeyboardInterrupt):
        project(writer)
    monkeypatch.undo()
    assert GraphChange.objects.exists()
    project_all(writer)
    assert alike(writer)


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_write_that_arrives_late_is_refused(built: Record, writer: Neo4jWriter) -> None:
    with writing() as early:
        late = {built.edge.pk: rows_of("relationship", [built.edge.pk])[built.edge.pk]}
    key = built.edge.pk
    built.edge.delete()
    project_all(writer)
    with pytest.raises(GenerationLost):
        writer.write(generation=current(), version=early, kind="relationship", keys=[key], rows=late)
    assert alike(writer)


def test_projecting_twice_changes_nothing(built: Record, writer: Neo4jWriter) -> None:
    for _ in range(2):
        GraphChange.objects.bulk_create(
            GraphChange(kind=kind, key=str(key)) for kind in KINDS for key in keys_after(kind, None, 100)
        )
        project_all(writer)
        assert alike(writer)


def test_edits_during_a_rebuild_go_to_both_generations(
    built: Record, writer: Neo4jWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = current()
    write = writer.write
    edited = []

    def write_and_edit(*, generation: int, version: int, kind: str, keys: list[int], rows: dict) -> None:  # type: ignore[type-arg]
        write(generation=generation, version=version, kind=kind, keys=keys, rows=rows)
        if generation != first and kind not in edited:
            edited.append(kind)
            zeal = Concept.objects.create(name=f"Zeal {kind}")
            Relationship.objects.create(source=zeal, target=built.grit, kind=built.kind)
            built.persona.concepts.add(zeal)
            if kind == "relationship":
                services.document_delete(document=built.document)
                built.fear.delete()

    monkeypatch.setattr(writer, "write", write_and_edit)
    graph_rebuild(writer)
    monkeypatch.undo()
    assert edited == list(KINDS)
    assert current() != first
    project_all(writer)
    assert alike(writer)
    assert repaired(writer) == 0


def test_a_rebuild_that_was_killed_is_cleared_away_by_the_next(built: Record, writer: Neo4jWriter) -> None:
    with writing() as version:
        left = GraphGeneration.objects.create().pk
        writer.begin(generation=left, version=version)
    graph_rebuild(writer)
    assert GraphGeneration.objects.get(pk=left).state == State.RETIRED
    assert retired_remove(writer, after_seconds=-1) == 2
    assert list(GraphGeneration.objects.values_list("state", flat=True)) == [State.CURRENT]
    with pytest.raises(GenerationLost):
        writer.write(generation=left, version=version + 1_000_000, kind="concept", keys=[1], rows={})


def test_reconciliation_repairs_what_a_stranger_has_done(built: Record, writer: Neo4jWriter) -> None:
    for statement in ("MATCH (n:Chunk {generation: $g}) DETACH DELETE n", "MATCH ()-[r {generation: $g}]-() DELETE r"):
        writer._run(statement, g=current())
    writer._run("CREATE (:Concept {generation: $g, id: 987654321, name: 'Stray', aliases: []})", g=current())
    report = graph_reconcile(writer)
    assert report is not None
    assert {kind: count.repaired for kind, count in report.items()} == {
        "concept": 1,
        "relationship": 1,
        "persona": 0,
        "chunk": 2,
    }
    assert alike(writer)
    assert repaired(writer) == 0
    standing = GraphStanding.objects.get()
    assert standing.check_report["concept"] == {"record": 2, "graph": 2, "repaired": 0}
    assert standing.checked_at is not None


def test_a_generation_that_neo4j_has_lost_is_retired(built: Record, writer: Neo4jWriter) -> None:
    writer.remove(current())
    built.fear.save()
    project_all(writer)
    assert not GraphGeneration.objects.filter(state=State.CURRENT).exists()
    graph_rebuild(writer)
    assert alike(writer)


def test_without_a_neo4j_changes_are_forgotten_and_what_it_held_is_asked_no_more(
    built: Record, writer: Neo4jWriter
) -> None:
    before = GraphStanding.objects.filter(pk=1).values_list("version", flat=True).first() or 0
    built.fear.save()
    assert changes_skip() == 1
    assert not GraphGeneration.objects.exclude(state=State.RETIRED).exists()
    assert GraphStanding.objects.get().version > before


def test_a_server_that_is_not_there_keeps_the_changes(built: Record) -> None:
    built.fear.save()
    with (
        neo4j_writer(GraphAddress("bolt://127.0.0.1:1", "neo4j", "x")) as nowhere,
        pytest.raises(GraphUnavailable),
    ):
        project(nowhere)
    assert GraphChange.objects.exists()


def test_a_store_that_is_behind_is_not_believed(built: Record, writer: Neo4jWriter, neo4j: GraphAddress) -> None:
    number = current()

    async def asked(version: int) -> list[Edge]:
        graph = Neo4jGraph.connect(neo4j, seconds=10)
        try:
            return await graph.at(generation=number, version=version, seconds=30).edges([built.grit.pk])
        finally:
            await graph.close()

    assert [edge.relationship for edge in run(asked(0))] == [built.edge.pk]
    with pytest.raises(GenerationLost):
        run(asked(2**52))


def test_names_of_any_kind_are_carried_over(built: Record, writer: Neo4jWriter) -> None:
    for name in ('O"Brien', "Thich-Nhat", "C++", "AND", "'; DROP", "a\\b", "}) DETACH DELETE n //", "名前"):
        Concept.objects.create(name=name).aliases.create(name=f"{name} too")
        Persona.objects.create(slug=f"p{Concept.objects.count()}", name=name)
    project_all(writer)
    assert alike(writer)
