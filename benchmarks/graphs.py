"""A graph of any size in the database, and questions about it, the same at every call."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.models import Chunk, Concept, Document, Mention, Persona, Relationship, RelationshipKind

SEED = 20_261_130
PERSONAS = 6
_ROWS = 5_000


@dataclass(frozen=True)
class Question:
    """The concepts a question names, and its member's persona."""

    concepts: tuple[int, ...]
    persona: str


def graph_make(*, concepts: int, relationships: int) -> list[int]:
    """A graph with hubs, cycles, self-loops and concepts that nothing touches; the ids of its concepts.

    Self-loops are what the record refuses: the caller has dropped that constraint.
    """
    chance = random.Random(SEED)
    made = Concept.objects.bulk_create((Concept(name=f"concept {number}") for number in range(concepts)), _ROWS)
    ids = [concept.pk for concept in made]
    touched = ids[: -concepts // 10]
    chunks = _chunks_make(concepts // 10, Document.Status.PUBLISHED)
    hidden = _chunks_make(concepts // 20, Document.Status.DRAFT)
    _relationships_make(chance, touched, relationships, [*chunks, *hidden, None])
    mentions = (
        Mention(chunk=chunk, concept_id=concept, count=chance.randint(1, 4))
        for chunk in [*chunks, *hidden]
        for concept in chance.sample(touched, 5)
    )
    Mention.objects.bulk_create(mentions, _ROWS)
    for number in range(PERSONAS):
        cared = chance.sample(touched, min(40, len(touched) // 12))
        Persona.objects.create(slug=f"p{number}", name=f"P{number}").concepts.set(cared)
    return ids


def questions_make(ids: Sequence[int], *, count: int) -> list[Question]:
    """Questions of one to four concepts: any, hubs among them, some that are not there; for a persona or none."""
    chance = random.Random(SEED)
    questions = []
    for _ in range(count):
        named = [*chance.sample(ids, chance.randint(1, 3))]
        named += [ids[chance.randint(0, 2)]] if chance.random() < 0.1 else []
        named += [2**40] if chance.random() < 0.1 else []
        questions.append(Question(tuple(named), f"p{chance.randint(0, PERSONAS)}"))
    return [*questions, Question((), "p1"), Question((2**40,), "p1"), Question((ids[0],), "")]


def _chunks_make(count: int, status: str) -> list[Chunk]:
    document = Document.objects.create(
        title=status, authority="primary", content_type="book_chapter", language="en", status=status
    )
    made = (
        Chunk(document=document, ordinal=number, text=f"text {number}", content_hash="", embed_hash="", tokens=2)
        for number in range(count)
    )
    return Chunk.objects.bulk_create(made, _ROWS)


def _relationships_make(
    chance: random.Random, touched: Sequence[int], count: int, proofs: Sequence[Chunk | None]
) -> None:
    """A ring through all, then chance: two of a hundred at one of three hubs, one of a hundred a self-loop."""
    kinds = [RelationshipKind.objects.get_or_create(slug=slug, defaults={"label": slug})[0] for slug in ("a", "b")]
    pairs: dict[tuple[int, int, str], None] = {}
    for number, here in enumerate(touched):
        pairs[(here, touched[(number + 1) % len(touched)], "a")] = None
    while len(pairs) < count:
        here = chance.choice(touched[:3]) if chance.random() < 0.02 else chance.choice(touched)
        there = here if chance.random() < 0.01 else chance.choice(touched)
        pairs[(here, there, chance.choice(kinds).slug)] = None
    made = (
        Relationship(
            source_id=here, target_id=there, kind_id=kind, weight=chance.randint(1, 10), proof=chance.choice(proofs)
        )
        for here, there, kind in pairs
    )
    Relationship.objects.bulk_create(made, _ROWS)
