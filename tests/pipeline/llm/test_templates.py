"""Follow-up questions without a model."""

from corpus.taxonomy import ContentType
from pipeline.llm import templates
from pipeline.llm.model import SuggestionRequest
from pipeline.llm.templates import candidates_for
from pipeline.turn import Context, MemberContext
from tests.pipeline.fakes import context_of


def request_with(*concepts: str, framing: str = "", context: Context | None = None) -> SuggestionRequest:
    member = MemberContext(stage="s", stage_name="Trying out", stage_framing=framing)
    return SuggestionRequest("Q?", "Q?", "general", concepts, context or Context(), member, "")


def test_concepts_come_first_then_sources_then_open_questions() -> None:
    candidates = candidates_for(request_with("grit", context=context_of("a", "b")))

    assert [candidate.text for candidate in candidates[:3]] == [
        "What should I know about grit?",
        "What else does “Title 1” say?",
        "What else does “Title 2” say?",
    ]
    assert len(candidates) == 6


def test_the_stage_decides_the_slant_and_is_named() -> None:
    (first, *_) = candidates_for(request_with("grit", framing="Prefer exercises and the next small step."))

    assert first.text == "Where do I start with grit?"
    assert "Trying out" in first.reason


def test_without_concepts_or_sources_there_are_open_questions() -> None:
    assert len(candidates_for(request_with())) == 4


def test_every_content_type_has_a_template() -> None:
    assert set(templates._OF_A_TYPE) == set(ContentType)
