"""Looking the library through for concepts and relationships to propose, with the sentence that suggests each.

Computed anew as a whole: what is no longer suggested goes, what an editor decided on stays as decided.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import log2

from django.db import transaction

from corpus.graph.linking import names_all
from corpus.graph.phrases import (
    MIN_TIMES,
    Sentence,
    Sketch,
    Standing,
    everyday_words,
    is_shown,
    phrases_in,
    sentences_in,
)
from corpus.models import Chunk, ConceptProposal, Document, Relationship, RelationshipKind, RelationshipProposal
from corpus.models.proposals import Proposal
from corpus.naming.index import NameIndex, Span, name_key
from corpus.naming.tokens import tokens_of

MAX_CHUNKS = 20_000
"""The newest chunks that are looked through: one or two minutes' work."""
MAX_OPEN = 150
"""Open proposals of each sort: an editor works from the top, nobody reads a list of thousands."""
GENERAL_KIND = ("relates-to", "relates to")
"""The kind a relationship is proposed with: which one it is, only a reader can tell."""


@dataclass(frozen=True, slots=True)
class _Text:
    chunk: int
    document: object
    sentences: tuple[Sentence, ...]
    known: tuple[Span, ...]

    def known_in(self, sentence: Sentence) -> list[Span]:
        return [span for span in self.known if sentence.start <= span.start < sentence.end]


@dataclass(slots=True)
class _Evidence:
    """The sentence to show for a proposal: one of readable length that names known concepts, the first such."""

    sentence: str = ""
    chunk: int | None = None
    rank: tuple[bool, int] = (False, -1)

    def offer(self, sentence: Sentence, text: _Text, known: int) -> None:
        rank = (is_shown(sentence), known)
        if self.chunk is None or rank > self.rank:
            self.sentence, self.chunk, self.rank = sentence.text, text.chunk, rank


@dataclass(slots=True)
class _Pair:
    times: int = 0
    documents: set[object] = field(default_factory=set)
    evidence: _Evidence = field(default_factory=_Evidence)


def proposals_compute() -> tuple[int, int]:
    """Bring the open proposals up to date; how many concepts and relationships are proposed now."""
    with transaction.atomic():
        names = names_all()
        index = NameIndex(names)
        phrases, pairs, named = _looked_through(index)
        known = {name_key(name) for name, _ in names}
        return _propose_concepts(phrases, known), _propose_relationships(pairs, named)


def _looked_through(
    index: NameIndex,
) -> tuple[dict[str, tuple[Standing, _Evidence]], dict[tuple[int, int], _Pair], dict[int, int]]:
    """Two readings of the library: the first only counts, so that the second keeps little."""
    everyday = everyday_words(_words_of_documents())
    sketch = Sketch()
    for text in _texts(index):
        for sentence in text.sentences:
            for phrase in phrases_in(sentence, text.known_in(sentence), everyday):
                sketch.add(phrase.key)
    phrases: dict[str, tuple[Standing, _Evidence]] = {}
    pairs: dict[tuple[int, int], _Pair] = {}
    named: dict[int, int] = {}
    for text in _texts(index):
        for sentence in text.sentences:
            known = text.known_in(sentence)
            concepts = sorted({span.concept for span in known})
            for phrase in phrases_in(sentence, known, everyday):
                if sketch.count(phrase.key) >= MIN_TIMES:
                    standing, evidence = phrases.setdefault(phrase.key, (Standing(), _Evidence()))
                    standing.take(phrase, document=text.document, beside_known=bool(known))
                    evidence.offer(sentence, text, len(concepts))
            for concept in concepts:
                named[concept] = named.get(concept, 0) + 1
            for place in combinations(concepts, 2):
                pair = pairs.setdefault(place, _Pair())
                pair.times += 1
                pair.documents.add(text.document)
                # Of two sentences the one that speaks of little else proves more.
                pair.evidence.offer(sentence, text, -len(concepts))
    return phrases, pairs, named


def _rows() -> Iterable[tuple[int, object, str, str]]:
    newest = Chunk.objects.exclude(document__status=Document.Status.WITHDRAWN).order_by("-pk")
    return newest.values_list("pk", "document_id", "text", "document__language")[:MAX_CHUNKS].iterator(1_000)


def _words_of_documents() -> Iterator[set[str]]:
    words: dict[object, set[str]] = {}
    for _, document, text, _ in _rows():
        words.setdefault(document, set()).update(token.word for token in tokens_of(text))
    yield from words.values()


def _texts(index: NameIndex) -> Iterator[_Text]:
    """Every chunk with its sentences; a sentence that stands in many documents alike counts once."""
    seen: set[int] = set()
    for chunk, document, text, language in _rows():
        new = []
        for sentence in sentences_in(text):
            if (mark := hash(sentence.text)) not in seen:
                seen.add(mark)
                new.append(sentence)
        yield _Text(chunk, document, tuple(new), tuple(index.spans(text, language)))


def _propose_concepts(found: dict[str, tuple[Standing, _Evidence]], known: set[str]) -> int:
    # Once there are concepts, new ones are proposed from what the library says beside them.
    worthy = {
        key: one
        for key, one in found.items()
        if one[0].worthy and key not in known and (one[0].beside_known or not known)
    }
    best = sorted(worthy, key=lambda key: (-worthy[key][0].strength, key))
    decided = set(ConceptProposal.objects.exclude(state=Proposal.State.OPEN).values_list("key", flat=True))
    kept: list[str] = []
    for key in best:
        # A part of a longer phrase that is used in hardly any other way says nothing by itself.
        inside = any(
            f" {key} " in f" {other} " and worthy[other][0].times * 2 > worthy[key][0].times
            for other in worthy
            if other != key
        )
        if not inside and key not in decided:
            kept.append(key)
    rows = [
        ConceptProposal(
            key=key[:200],
            name=_name_of(worthy[key][0])[:120],
            sentence=worthy[key][1].sentence,
            chunk_id=worthy[key][1].chunk,
            times=worthy[key][0].times,
            documents=len(worthy[key][0].documents),
            strength=worthy[key][0].strength,
        )
        for key in kept[:MAX_OPEN]
    ]
    ConceptProposal.objects.filter(state=Proposal.State.OPEN).exclude(key__in=[row.key for row in rows]).delete()
    # A name or summary that an editor has begun to change stays as it is.
    ConceptProposal.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["sentence", "chunk", "times", "documents", "strength"],
    )
    return len(rows)


def _name_of(standing: Standing) -> str:
    """The commonest form; a capital that only begins sentences is no part of it."""
    form = standing.forms.most_common(1)[0][0]
    mostly_capital = standing.capital * 2 > standing.times
    name = form if mostly_capital or form.isupper() else form[0].lower() + form[1:]
    return " ".join(name.split())


def _propose_relationships(pairs: dict[tuple[int, int], _Pair], named: dict[int, int]) -> int:
    related = {(min(ends), max(ends)) for ends in Relationship.objects.values_list("source_id", "target_id")}
    decided = RelationshipProposal.objects.exclude(state=Proposal.State.OPEN)
    settled = related | set(decided.values_list("one_id", "other_id"))
    strengths = {place: _pair_strength(place, pair, named) for place, pair in pairs.items() if place not in settled}
    best = sorted(strengths, key=lambda place: (-strengths[place], place))[:MAX_OPEN]
    slug, label = GENERAL_KIND
    kind = RelationshipKind.objects.get_or_create(slug=slug, defaults={"label": label})[0] if best else None
    rows = [
        RelationshipProposal(
            one_id=place[0],
            other_id=place[1],
            kind=kind,
            sentence=pairs[place].evidence.sentence,
            chunk_id=pairs[place].evidence.chunk,
            times=pairs[place].times,
            documents=len(pairs[place].documents),
            strength=strengths[place],
        )
        for place in best
    ]
    still = {(row.one_id, row.other_id) for row in rows}
    gone = [
        row.pk
        for row in RelationshipProposal.objects.filter(state=Proposal.State.OPEN)
        if (row.one_id, row.other_id) not in still
    ]
    RelationshipProposal.objects.filter(pk__in=gone).delete()
    RelationshipProposal.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["one", "other"],
        update_fields=["sentence", "chunk", "times", "documents", "strength"],
    )
    return len(rows)


def _pair_strength(place: tuple[int, int], pair: _Pair, named: dict[int, int]) -> float:
    """How much oftener two stand together than by chance of being frequent, and how often at all."""
    together = pair.times / min(named[place[0]], named[place[1]])
    return round(log2(1 + pair.times) * log2(1 + len(pair.documents)) * (1 + together), 3)
