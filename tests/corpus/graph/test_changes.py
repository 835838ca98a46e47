"""That no way of writing to the graph's record is missed."""

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from corpus import services
from corpus.graph import changes
from corpus.graph.changes import changes_announce
from corpus.graph.linking import mentions_link
from corpus.models import Alias, Chunk, Concept, GraphChange, Mention, Persona, Relationship, RelationshipKind
from tests.corpus.conftest import Library

Noted = set[tuple[str, str]]


class Record:
    """A small graph, and what has been noted since it stood."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.fear, self.grit = (Concept.objects.create(name=name) for name in ("Fear", "Grit"))
        self.alias = Alias.objects.create(concept=self.fear, name="Dread")
        self.kind = RelationshipKind.objects.create(slug="helps", label="helps")
        self.chunks = library.add("A", "fear and grit", "grit alone", "nothing")
        self.document = library.documents["A"]
        mentions_link(chunk_ids=[chunk.pk for chunk in self.chunks])
        self.edge = Relationship.objects.create(
            source=self.grit, target=self.fear, kind=self.kind, proof=self.chunks[0]
        )
        self.edge_id = self.edge.pk
        """It stays when the relationship is deleted, which takes it from the object."""
        self.persona = Persona.objects.create(slug="careful", name="Careful")
        self.persona.concepts.add(self.fear)
        self.edge_id = self.edge.pk  # Deleting takes it from the edge.
        GraphChange.objects.all().delete()
        connection.run_on_commit.clear()

    def noted(self) -> Noted:
        return set(GraphChange.objects.values_list("kind", "key"))

    def of(self, *rows: Concept | Relationship | Persona | Chunk) -> Noted:
        return {(type(row).__name__.lower(), str(row.pk)) for row in rows}


@pytest.fixture
def record(library: Library) -> Record:
    return Record(library)


WAYS: dict[str, tuple[Callable[[Record], object], Callable[[Record], Noted]]] = {
    "a concept saved": (lambda r: r.fear.save(), lambda r: r.of(r.fear)),
    "a concept updated in bulk": (
        lambda r: Concept.objects.update(summary="new"),
        lambda r: r.of(r.fear, r.grit),
    ),
    "an alias made in bulk": (
        lambda r: Alias.objects.bulk_create([Alias(concept=r.grit, name="Pluck")]),
        lambda r: r.of(r.grit),
    ),
    "an alias given to another concept": (
        lambda r: Alias.objects.update(concept=r.grit),
        lambda r: r.of(r.fear, r.grit),
    ),
    "an alias deleted": (lambda r: r.alias.delete(), lambda r: r.of(r.fear)),
    "a relationship updated in bulk": (lambda r: Relationship.objects.update(weight=9), lambda r: r.of(r.edge)),
    "a relationship deleted in bulk": (
        lambda r: Relationship.objects.all().delete(),
        lambda r: {("relationship", str(r.edge_id))},
    ),
    "a persona's concepts set": (lambda r: r.persona.concepts.set([r.grit]), lambda r: r.of(r.persona)),
    "a persona's concepts cleared": (lambda r: r.persona.concepts.clear(), lambda r: r.of(r.persona)),
    "mentions written by hand": (
        lambda r: connection.cursor().execute("UPDATE corpus_mention SET count = 7"),
        lambda r: r.of(r.chunks[0], r.chunks[1]),
    ),
    "mentions moved to another concept": (
        lambda r: Mention.objects.filter(chunk=r.chunks[1]).update(concept=r.fear),
        lambda r: r.of(r.chunks[1]),
    ),
    "a document withdrawn": (
        lambda r: services.document_withdraw(document=r.document),
        lambda r: {("document", str(r.document.pk))},
    ),
    "a document's title changed": (
        lambda r: type(r.document).objects.update(title="Another", rights_note="none"),
        lambda r: set(),
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_of_writing_notes_what_it_changes_and_nothing_else(record: Record, way: str) -> None:
    write, expected = WAYS[way]
    write(record)
    assert record.noted() == expected(record)


def test_deleting_a_concept_notes_all_that_goes_with_it(record: Record) -> None:
    gone = record.of(record.fear, record.edge, record.persona, record.chunks[0])
    record.fear.delete()
    assert record.noted() == gone


def test_deleting_a_document_notes_its_chunks_and_what_they_proved(record: Record) -> None:
    gone = record.of(record.edge, record.chunks[0], record.chunks[1])
    services.document_delete(document=record.document)
    assert record.noted() == gone


def test_what_is_rolled_back_was_never_noted(record: Record) -> None:
    from django.db import transaction

    with transaction.atomic():
        record.fear.save()
        transaction.set_rollback(True)
    assert record.noted() == set()


def test_the_admin_notes_what_it_changes_and_has_it_projected(
    record: Record, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    editor = get_user_model().objects.create_superuser(email="editor@example.org", password="secret-word")
    client = Client()
    client.force_login(editor)
    url = reverse("admin:corpus_relationship_change", args=[record.edge.pk])
    fields = {
        "source": record.grit.pk,
        "target": record.fear.pk,
        "kind": "helps",
        "weight": 8,
        "proof": record.chunks[1].pk,
    }
    with django_capture_on_commit_callbacks() as waiting:
        response = client.post(url, fields)
    assert response.status_code == 302, response.context["errors"]
    assert record.noted() == record.of(record.edge)
    assert [call for call in waiting if call is changes._send] == [changes._send]


def test_the_admins_deletion_of_many_is_noted(record: Record) -> None:
    editor = get_user_model().objects.create_superuser(email="editor@example.org", password="secret-word")
    client = Client()
    client.force_login(editor)
    chosen = [record.fear.pk, record.grit.pk]
    fields = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    gone = record.of(record.fear, record.grit, record.edge)
    client.post(reverse("admin:corpus_concept_changelist"), fields)
    assert gone <= record.noted()


@pytest.mark.parametrize("write", [lambda r: r.fear.save(), lambda r: services.document_withdraw(document=r.document)])
def test_a_write_sends_for_a_worker_once_it_is_final(
    record: Record,
    write: Callable[[Record], object],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as waiting:
        write(record)
        changes_announce()
    assert waiting.count(changes._send) == 1


def test_a_worker_that_cannot_be_sent_for_is_no_error(
    record: Record, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def down(*_: object, **__: object) -> None:
        raise OSError("no broker")

    monkeypatch.setattr("celery.current_app.send_task", down)
    changes._send()
    assert "the sweep will find them" in caplog.text
