"""The prompts are there, with their versions."""

import pytest

from pipeline.prompts import prompt_of


@pytest.mark.parametrize("node", ["intent", "response", "suggestions"])
def test_a_prompt_has_a_version_and_a_text(node: str) -> None:
    prompt = prompt_of(node)

    assert prompt.version == f"{node}-2"
    assert "instruction" in prompt.text.lower()
    assert "version:" not in prompt.text
