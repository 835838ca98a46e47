"""Questions a member might ask of whatever a library holds: made of its concepts, documents and personas, by a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.models import Concept, Document, Persona, Relationship
from journeys.models import Stage
from pipeline.turn import MemberContext

_OF_ONE = (
    "What is meant by {one}?",
    "How do I begin with {one}?",
    "Why does {one} matter at my age?",
    "Is there a story about {one}?",
    "Which mistakes do people make with {one}?",
    "What should I know about {one} before I decide anything?",
    "Give me an example of {one}.",
    "Does {one} get easier with time?",
    "I keep reading about {one}. Is it for me?",
    "Which exercise helps with {one}?",
)
_OF_TWO = (
    "How does {one} go together with {two}?",
    "What has {one} to do with {two}?",
    "Should I think of {one} first or of {two}?",
)
_OF_A_DOCUMENT = (
    "What does “{title}” say?",
    "Summarise “{title}” for me.",
    "What can I take from “{title}”?",
)
_OF_NOBODY = (
    "I was made redundant last month. Where do I start?",
    "How do I tell my family that I want something else?",
    "Am I too old to learn a trade?",
    "How long should my savings last before I leave?",
    "I feel stuck and do not know what I want.",
    "How do I find somebody who gives honest advice?",
    "What do I say in an interview about the gap in my CV?",
    "Who can see what I write here?",
    "Is it wise to buy a business instead of starting one?",
    "What is the boiling point of tungsten?",
)
_SHARES = (50, 20, 20, 10)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and who asks it."""

    question: str
    member: MemberContext


def generated_questions(count: int, seed: int) -> list[Asked]:
    """So many different questions, of the library as it is now; the same for the same seed and library."""
    source = random.Random(seed)
    concepts = list(Concept.objects.order_by("name").values_list("name", flat=True))
    pairs = list(Relationship.objects.order_by("pk").values_list("source__name", "target__name"))
    titles = list(Document.objects.filter(status="published").order_by("title").values_list("title", flat=True))
    stages = [None, *Stage.objects.order_by("ordinal")]
    personas = [None, *Persona.objects.order_by("slug").values_list("slug", flat=True)]
    kinds = source.choices(range(len(_SHARES)), weights=_SHARES, k=count * 4)
    made: dict[str, Asked] = {}
    for kind in kinds:
        question = _question(kind, source, concepts, pairs, titles)
        made.setdefault(question, Asked(question, _member(source.choice(stages), source.choice(personas))))
        if len(made) == count:
            break
    return list(made.values())


def _question(
    kind: int,
    source: random.Random,
    concepts: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    titles: Sequence[str],
) -> str:
    if kind == 0:
        return source.choice(_OF_ONE).format(one=_in_a_sentence(source.choice(concepts)))
    if kind == 1:
        one, two = map(_in_a_sentence, source.choice(pairs))
        return source.choice(_OF_TWO).format(one=one, two=two)
    if kind == 2:
        return source.choice(_OF_A_DOCUMENT).format(title=source.choice(titles))
    return source.choice(_OF_NOBODY)


def _in_a_sentence(name: str) -> str:
    return name if name[1:2].isupper() else name[0].lower() + name[1:]


def _member(stage: Stage | None, persona: str | None) -> MemberContext:
    if stage is None:
        return MemberContext(persona=persona)
    return MemberContext(stage=stage.slug, stage_name=stage.name, stage_framing=stage.framing, persona=persona)
