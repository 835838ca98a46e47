"""Follow-up questions without a model: from concepts and the member's stage, else from the kinds of sources (pure)."""

from collections.abc import Iterator
from itertools import chain, islice

from corpus.taxonomy import ContentType
from pipeline.llm.model import SuggestionRequest
from pipeline.turn import Suggestion

MAX_CANDIDATES = 6

# With the words that, in a stage's framing, call for it.
_OF_A_CONCEPT = (
    ("What does the library say about {name}?", ("concept", "open question", "breadth", "endings")),
    ("How can I put {name} into practice?", ("exercise", "worksheet", "step", "plan")),
    ("Who has made use of {name}, and what came of it?", ("stories", "examples", "others", "people who")),
)
_OF_A_TYPE = {
    ContentType.BOOK_CHAPTER: ("What else does “{title}” say?", "it was among the sources"),
    ContentType.FRAMEWORK: ("How do I apply “{title}” to my own situation?", "a framework was among the sources"),
    ContentType.EXERCISE: ("Can you take me through the exercise “{title}”?", "an exercise was among the sources"),
    ContentType.WORKSHEET: ("How do I fill in the worksheet “{title}”?", "a worksheet was among the sources"),
    ContentType.CASE_STUDY: ("What can I learn from the case “{title}”?", "a case was among the sources"),
    ContentType.BIOGRAPHY: ("What turning points does “{title}” tell of?", "a life was among the sources"),
    ContentType.INTERVIEW: ("What else comes up in the interview “{title}”?", "an interview was among the sources"),
    ContentType.ANECDOTE: ("What is the lesson of the story “{title}”?", "a story was among the sources"),
    ContentType.QUOTE: ("What is meant by the quotation “{title}”?", "a quotation was among the sources"),
    ContentType.EXAMPLE: ("Are there more examples like “{title}”?", "an example was among the sources"),
    ContentType.ARTICLE: ("What are the main points of “{title}”?", "an article was among the sources"),
}
_OPEN = (
    ("Which topics does the library cover?", "to look around"),
    ("How do I find out what I want to do next?", "a question many begin with"),
    ("Which stories of people who began again are there?", "to see how others did it"),
    ("Which exercise could I start with?", "to try something"),
)


def candidates_for(request: SuggestionRequest) -> tuple[Suggestion, ...]:
    """At most six candidates: concepts first, then the sources by their content type, then open questions."""
    candidates = chain(_from_concepts(request), _from_sources(request), (Suggestion(*pair) for pair in _OPEN))
    once = {candidate.text: candidate for candidate in candidates}
    return tuple(islice(once.values(), MAX_CANDIDATES))


def _from_concepts(request: SuggestionRequest) -> Iterator[Suggestion]:
    stage = request.member.stage_name
    reason = "because “{name}” belongs to this" + (f", seen from the stage “{stage}”" if stage else "")
    templates = _in_the_light_of(request.member.stage_framing)
    for template, name in zip(templates, request.concepts, strict=False):
        yield Suggestion(template.format(name=name), reason.format(name=name))


def _in_the_light_of(framing: str) -> list[str]:
    """The templates for concepts, those first that the stage's framing asks for."""
    plain = framing.lower()
    ordered = sorted(_OF_A_CONCEPT, key=lambda pair: -sum(plain.count(word) for word in pair[1]))
    return [template for template, _ in ordered]


def _from_sources(request: SuggestionRequest) -> Iterator[Suggestion]:
    seen = set()
    for source in request.context.sources:
        if source.document not in seen:
            seen.add(source.document)
            text, reason = _OF_A_TYPE[source.content_type]
            yield Suggestion(text.format(title=source.title), reason)
