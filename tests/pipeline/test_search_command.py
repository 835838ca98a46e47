# ruff: noqa: F811 (fixtures of another folder come by import)
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.taxonomy import ContentType
from tests.corpus.conftest import Library, committed_library  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library(committed_library: Library) -> Library:
    committed_library.add("Courage", "courage to begin anew", "courage and patience", "bread")
    committed_library.add("Wise words", "courage is grace", content_type=ContentType.QUOTE)
    return committed_library


def printed(*args: str) -> str:
    out = StringIO()
    call_command("search", *args, stdout=out)
    return out.getvalue()


def test_it_prints_both_sets_with_ranks(library: Library) -> None:
    lines = printed("What is courage?", "--intent", "concept_explanation").splitlines()
    assert lines[0].endswith("degraded: embedding")
    assert "rag_results: 3" in lines
    assert "graph_results: 0" in lines
    assert any("phase_1" in line and "keyword 1" in line and "Courage" in line for line in lines)


def test_it_prints_json_and_takes_an_intent(library: Library) -> None:
    found: dict[str, Any] = json.loads(printed("courage", "--intent", "personal_story", "--json"))
    assert found["intent"] == "personal_story"
    assert {result["phase"] for result in found["rag_results"]} == {"broad_match"}
    assert found["rag_results"][0]["keyword_rank"] == 1


@pytest.mark.parametrize(("question", "reason"), [("   ", "empty"), ("caf\udce9", "no text"), ("x" * 4_001, "4,000")])
def test_what_is_no_question_is_refused(question: str, reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        printed(question)
