import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from pytest_django import Settings

from corpus.embeddings import token_counter
from corpus.graph.linking import NameIndex
from corpus.ingestion.chunking import cut_chunks
from corpus.ingestion.reading import read_file
from corpus.models import Chunk, Concept, Document, EmbeddingSpace, Ingestion, Persona, Relationship
from corpus.samples import samples_load, samples_waiting
from corpus.samples.manifest import FOLDER, Manifest, SampleDocument, SampleRelationship, manifest
from corpus.services import document_delete, document_update, ingestion_run
from corpus.taxonomy import Authority, ContentType
from tests.corpus.reading_in import HashEmbedder


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Manifest:
    """A library of the first samples alone, for what does not depend on how many there are."""
    whole = manifest()
    documents = whole.documents[:6]
    files = {sample.file for sample in documents}
    small = replace(
        whole,
        documents=documents,
        relationships=tuple(entry for entry in whole.relationships if entry.document in files),
    )
    monkeypatch.setattr("corpus.samples.loading.manifest", lambda: small)
    return small


def work() -> None:
    for ingestion in Ingestion.objects.filter(state="received"):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=HashEmbedder())


def test_the_samples_become_a_library_with_a_proven_graph(space: EmbeddingSpace) -> None:
    samples_load()
    assert samples_waiting() == len(manifest().documents)

    work()
    samples_load()

    assert samples_waiting() == 0
    assert set(Document.objects.values_list("authority", flat=True)) == {authority.value for authority in Authority}
    assert set(Document.objects.values_list("status", flat=True)) == {"published"}
    assert not Relationship.objects.filter(proof=None).exists()
    assert not Concept.objects.filter(mentions=None).exists()
    assert Persona.objects.count() == len(manifest().personas)


def test_loading_again_changes_nothing_that_an_editor_changed(space: EmbeddingSpace, few: Manifest) -> None:
    samples_load()
    work()
    renamed, deleted = Document.objects.order_by("title")[:2]
    document_update(document=renamed, title="Ours now")
    document_delete(document=deleted)
    Concept.objects.filter(name="Weak ties").delete()
    work()

    samples_load()

    assert samples_waiting() == 0
    assert Document.objects.count() == len(few.documents) - 1
    assert Document.objects.filter(title="Ours now").exists()
    assert not Concept.objects.filter(name="Weak ties").exists()


def test_a_sample_that_failed_is_tried_again(space: EmbeddingSpace, few: Manifest) -> None:
    samples_load()
    Ingestion.objects.update(state="failed", reason="The model was missing.")

    samples_load()
    work()

    assert Chunk.objects.values("document").distinct().count() == len(few.documents)


# What the library holds, checked without a database.

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_SERVICE = "About SecondAct: "


@cache
def chunk_texts(file: str) -> tuple[str, ...]:
    """A sample's chunks as ingestion cuts them."""
    sample = next(entry for entry in manifest().documents if entry.file == file)
    sections = read_file(sample.file, sample.read()).sections
    return tuple(chunk.text for chunk in cut_chunks(sections, title=sample.title, count=token_counter()))


def test_the_library_is_large_and_varied_enough() -> None:
    documents = manifest().documents
    service = [sample for sample in documents if sample.title.startswith(_SERVICE)]

    assert len(documents) >= 38
    assert {sample.authority for sample in documents} == {authority.value for authority in Authority}
    assert {sample.content_type for sample in documents} == {kind.value for kind in ContentType}
    assert len(service) >= 9
    assert {sample.authority for sample in service} == {Authority.PRIMARY}


def test_every_intent_finds_samples_of_every_content_type_it_asks_for() -> None:
    held = {(sample.authority, sample.content_type) for sample in manifest().documents}
    primary = {kind for authority, kind in held if authority == Authority.PRIMARY}
    others = {kind for authority, kind in held if authority != Authority.PRIMARY}

    assert primary >= set(ContentType) - {ContentType.CASE_STUDY, ContentType.EXAMPLE}
    assert others >= set(ContentType) - {ContentType.BOOK_CHAPTER}


def test_every_file_stands_in_the_manifest_once() -> None:
    files = [sample.file for sample in manifest().documents]
    titles = {sample.title for sample in manifest().documents}

    assert sorted(files) == sorted(path.name for path in (FOLDER / "documents").iterdir())
    assert len(titles) == len(files)


@pytest.mark.parametrize("sample", manifest().documents, ids=lambda sample: sample.file)
def test_a_sample_says_that_it_is_one_and_keeps_its_length(sample: SampleDocument) -> None:
    text = sample.read().decode()

    assert sample.title.endswith(" (sample)")
    assert text.rstrip().rsplit("\n\n", 1)[-1].startswith("*Sample text written for SecondAct")
    assert "Sample text written for SecondAct" in chunk_texts(sample.file)[-1]
    assert 150 <= len(_WORD.findall(text)) <= 900


def test_samples_about_lives_say_that_they_are_invented() -> None:
    lives = {ContentType.CASE_STUDY, ContentType.BIOGRAPHY, ContentType.INTERVIEW, ContentType.ANECDOTE}
    for sample in manifest().documents:
        if sample.content_type in lives:
            assert "invented" in chunk_texts(sample.file)[-1], sample.file


def test_no_two_samples_say_the_same_sentence() -> None:
    seen: dict[str, str] = {}
    for sample in manifest().documents:
        body = sample.read().decode().rsplit("*Sample text", 1)[0]
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(body.split())):
            if len(sentence.split()) > 7 and not sentence.startswith("General background"):
                assert seen.setdefault(sentence, sample.file) == sample.file, sentence


def test_concepts_have_names_of_their_own_and_a_summary_of_one_line() -> None:
    concepts = manifest().concepts
    names = [name.casefold() for concept in concepts for name in (concept.name, *concept.aliases)]

    assert len(concepts) >= 32
    assert len(names) == len(set(names))
    assert all(concept.summary and "\n" not in concept.summary for concept in concepts)
    assert sum(bool(concept.aliases) for concept in concepts) >= 30


def test_every_concept_is_named_in_a_text_and_related_to_another() -> None:
    index = NameIndex(
        (name, number)
        for number, concept in enumerate(manifest().concepts)
        for name in (concept.name, *concept.aliases)
    )
    named = {number for sample in manifest().documents for number in index.mentions(" ".join(chunk_texts(sample.file)))}
    related = {name for entry in manifest().relationships for name in (entry.source, entry.target)}

    assert named == set(range(len(manifest().concepts)))
    assert related == {concept.name for concept in manifest().concepts}


def test_relationships_stand_between_known_concepts_and_once() -> None:
    relationships = manifest().relationships
    names = {concept.name for concept in manifest().concepts}

    assert len(relationships) >= 62
    assert len({(entry.source, entry.target, entry.kind) for entry in relationships}) == len(relationships)
    assert {entry.kind for entry in relationships} == set(manifest().kinds)
    for entry in relationships:
        assert {entry.source, entry.target} <= names
        assert entry.source != entry.target
        assert 1 <= entry.weight <= 10


@pytest.mark.parametrize("entry", manifest().relationships, ids=lambda entry: f"{entry.source} {entry.target}")
def test_a_proof_stands_word_for_word_in_one_chunk_of_its_document(entry: SampleRelationship) -> None:
    assert [text for text in chunk_texts(entry.document) if entry.phrase in text]


def test_personas_care_about_five_to_eight_known_concepts() -> None:
    names = {concept.name for concept in manifest().concepts}

    assert len(manifest().personas) == 4
    for persona in manifest().personas:
        assert 5 <= len(set(persona.concepts)) == len(persona.concepts) <= 8
        assert set(persona.concepts) <= names


def test_the_first_step_at_50_is_answered_by_more_than_one_authority() -> None:
    said = {
        sample.authority
        for sample in manifest().documents
        if any("first step" in text and "50" in text and "change careers" in text for text in chunk_texts(sample.file))
    }

    assert said >= {Authority.PRIMARY, Authority.SUPPLEMENTARY}
