"""Putting the sample library in. It may be called at every start, and again once the texts are read in."""

from django.core.files.base import ContentFile
from django.db import transaction

from corpus.models import Alias, Chunk, Concept, Document, Ingestion, Persona, Relationship, RelationshipKind
from corpus.samples.manifest import SampleDocument, manifest
from corpus.services import document_create, ingestion_start

CREATOR = "SecondAct sample library"
RIGHTS = "Sample text written for SecondAct; free to use and change with it."


def samples_load() -> None:
    """Put in what never was; have unfinished texts read in; tie relationships to the chunks that prove them."""
    with transaction.atomic():
        if not Document.history.filter(is_sample=True).exists():
            _load_graph()
        for sample in manifest().documents:
            _load_document(sample)
        _tie_proofs()


def samples_waiting() -> int:
    """How many sample texts are still on their way: neither live nor failed."""
    return Ingestion.objects.filter(document__is_sample=True, state__in=Ingestion.WORKING_STATES).count()


def _load_document(sample: SampleDocument) -> None:
    known = Document.history.filter(is_sample=True, title=sample.title).first()
    if known is None:
        document = document_create(
            title=sample.title,
            authority=sample.authority,
            content_type=sample.content_type,
            creator=CREATOR,
            rights_note=RIGHTS,
            is_sample=True,
        )
    elif (found := Document.objects.filter(pk=known.id).first()) is not None:
        document = found
    else:
        return  # An editor deleted it.
    if not document.ingestions.filter(state__in=(*Ingestion.OPEN_STATES, Ingestion.State.LIVE)).exists():
        ingestion_start(document=document, file=ContentFile(sample.read(), name=sample.file), publish=True)


def _load_graph() -> None:
    for slug, label in manifest().kinds.items():
        RelationshipKind.objects.get_or_create(slug=slug, defaults={"label": label})
    concepts = {
        sample.name: _load_concept(sample.name, sample.summary, sample.aliases) for sample in manifest().concepts
    }
    for sample in manifest().relationships:
        Relationship.objects.get_or_create(
            source=concepts[sample.source],
            target=concepts[sample.target],
            kind_id=sample.kind,
            defaults={"weight": sample.weight},
        )
    for persona in manifest().personas:
        stored, created = Persona.objects.get_or_create(
            slug=persona.slug, defaults={"name": persona.name, "description": persona.description}
        )
        if created:
            stored.concepts.set(concepts[name] for name in persona.concepts)


def _load_concept(name: str, summary: str, aliases: list[str]) -> Concept:
    concept = Concept.objects.filter(name__iexact=name).first()
    if concept is None:
        concept = Concept.objects.create(name=name, summary=summary)
    for alias in aliases:
        if not Alias.objects.filter(name__iexact=alias).exists():
            Alias.objects.create(concept=concept, name=alias)
    return concept


def _tie_proofs() -> None:
    """Give each sample relationship that has no proof yet the live chunk that holds its phrase."""
    titles = {sample.file: sample.title for sample in manifest().documents}
    for sample in manifest().relationships:
        unproven = Relationship.objects.filter(
            source__name=sample.source, target__name=sample.target, kind=sample.kind, proof=None
        )
        chunk = Chunk.objects.filter(
            document__is_sample=True, document__title=titles[sample.document], text__contains=sample.phrase
        ).first()
        if chunk is not None:
            unproven.update(proof=chunk)
