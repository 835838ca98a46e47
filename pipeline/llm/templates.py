"""Follow-up questions without a model (pure): from concepts and the member's stage, else from the kinds of sources."""

from collections.abc import Iterator
from itertools import chain, islice

from corpus.taxonomy import ContentType
from pipeline.llm.model import SuggestionRequest
from pipeline.plain_text import SHORT_TEXT
from pipeline.turn import Suggestion
from pipeline.words import same_question

MAX_CANDIDATES = 6
_NEIGHBOURS = 4
"""Candidates made of concepts, so that sources have their say too."""

# With the words that, in a stage's framing, call for it.
_OF_A_CONCEPT = (
    ("What should I know about {name}?", ("concept", "open question", "breadth", "endings")),
    ("Where do I start with {name}?", ("exercise", "worksheet", "step", "plan")),
    ("How have others dealt with {name}?", ("stories", "examples", "others", "people who")),
)
_OF_A_CONNECTION = "How does {name} go together with {through}?"
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
    """At most six candidates: concepts first, then the sources by their content type, then open questions.

    None of them says again what was asked in this conversation, nor what another of them says.
    """
    candidates = chain(
        islice(_from_concepts(request), _NEIGHBOURS), _from_sources(request), (Suggestion(*pair) for pair in _OPEN)
    )
    return tuple(islice(_new(candidates, request), MAX_CANDIDATES))


def _new(candidates: Iterator[Suggestion], request: SuggestionRequest) -> Iterator[Suggestion]:
    said = list(request.asked)
    for candidate in candidates:
        if len(candidate.text) <= SHORT_TEXT and not any(same_question(candidate.text, other) for other in said):
            said.append(candidate.text)
            yield candidate


def _from_concepts(request: SuggestionRequest) -> Iterator[Suggestion]:
    """The concepts beside those of the question first, then the question's own; the stage decides what is asked."""
    stage = f", seen from the stage “{request.member.stage_name}”" if request.member.stage_name else ""
    templates = _in_the_light_of(request.member.stage_framing)
    texts = " ".join(source.text for source in request.context.sources)
    for number, (name, through) in enumerate(request.connections):
        # The last one asks about the connection itself.
        template = _OF_A_CONNECTION if number == len(templates) else templates[number % len(templates)]
        asked = template.format(name=_in_a_sentence(name, texts), through=_in_a_sentence(through, texts))
        yield Suggestion(asked, f"because it connects to “{through}”{stage}")
    connected = {name for pair in request.connections for name in pair}
    others = [name for name in request.concepts if name not in connected]
    for template, name in zip(templates, others, strict=False):
        asked = template.format(name=_in_a_sentence(name, texts))
        yield Suggestion(asked, f"because “{name}” belongs to this{stage}")


def _in_a_sentence(name: str, texts: str) -> str:
    """The name as it stands within a sentence: with a small letter, if the sources write it so."""
    small = name[:1].lower() + name[1:]
    return small if small in texts else name


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
            yield Suggestion(text.format(title=source.title), f"because {reason}")
