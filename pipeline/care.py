"""Danger to life or health in a member's words, found by rules before any model is asked.

A rule list, not a diagnosis. It would rather offer help once too often; but talk about work is full of figures of
speech ("career suicide", "this deadline is killing me", "dying to try"). So phrases that excuse are taken out first,
and what is left must say the danger of a person: a wish or plan to die, hurting oneself, violence at home, a medical
emergency now. English only so far. Pure: no Django, no model.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

from pipeline.patterns import PatternFile

_HELP_LINES = Path(__file__).with_name("help_lines.toml")

_CONTRACTIONS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\bi'?m\b", "i am"),
        (r"\bi'?ve\b", "i have"),
        (r"\b(he|she|it|that|what|there)'s\b", r"\1 is"),
        (r"\b(they|we|you)'re\b", r"\1 are"),
        (r"'ll\b", " will"),
        (r"'d\b", " would"),
        (r"\bcan'?t\b|\bcan not\b", "cannot"),
        (r"\bwon'?t\b", "will not"),
        (r"\b(do|does|did|is|was|were|would|could|should|has|have)n'?t\b", r"\1 not"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
        (r"\bkms\b", "kill myself"),
        (r"\bany more\b", "anymore"),
        (r"\bmy self\b", "myself"),
    )
)


_RULES = PatternFile(Path(__file__).with_suffix(".toml"))
_FIGURES_OF_SPEECH = _RULES.pattern("figures_of_speech")
_DANGERS = {kind: _RULES.any_of(expressions) for kind, expressions in _RULES.table["dangers"].items()}


def danger_in(text: str) -> str | None:
    """The kind of danger the words speak of (suicide, violence or emergency), or None."""
    plain = " ".join(text.lower().replace("’", "'").split())
    for contraction, words in _CONTRACTIONS:
        plain = contraction.sub(words, plain)
    literal = _FIGURES_OF_SPEECH.sub(" ~ ", plain)
    return next((kind for kind, rule in _DANGERS.items() if rule.search(literal)), None)


@cache
def shipped_help_texts() -> dict[str, str]:
    """The help texts that ship, by country code; "" is for all other countries."""
    table: dict[str, str] = tomllib.loads(_HELP_LINES.read_text(encoding="utf-8"))
    return {"" if country == "other" else country: text.strip() for country, text in table.items()}


def shipped_help_text(country: str) -> str:
    """The shipped text for a country, for when the approved one cannot be read."""
    texts = shipped_help_texts()
    return texts.get(country.strip().upper(), texts[""])
