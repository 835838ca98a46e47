"""Danger to life or health in a member's words, found by rules before any model is asked.

A rule list, not a diagnosis. It would rather offer help once too often; but talk about work is full of figures of
speech ("career suicide", "this deadline is killing me", "dying to try"). So phrases that excuse are taken out first,
and what is left must say the danger of a person: a wish or plan to die, hurting oneself, violence at home, a medical
emergency now. English first; the plain sentences of six more languages, since members may write in their own. Pure: no
Django, no model.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
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


_KINDS = ("suicide", "violence", "emergency")


@dataclass(frozen=True, slots=True)
class _Language:
    """The rules of one language."""

    figures_of_speech: re.Pattern[str]
    dangers: tuple[tuple[str, re.Pattern[str]], ...]


def _languages() -> Iterator[_Language]:
    english = PatternFile(Path(__file__).with_suffix(".toml"))
    others = PatternFile(Path(__file__).with_name("care_languages.toml"))
    for rules in (english, *map(others.part, others.table)):
        dangers = tuple((kind, rules.pattern(kind)) for kind in _KINDS)
        yield _Language(rules.pattern("figures_of_speech"), dangers)


_LANGUAGES = tuple(_languages())


def danger_in(text: str) -> str | None:
    """The kind of danger the words speak of (suicide, violence or emergency), or None."""
    plain = _plain(text)
    for language in _LANGUAGES:
        literal = language.figures_of_speech.sub(" ~ ", plain)
        for kind, rule in language.dangers:
            if rule.search(literal):
                return kind
    return None


def _plain(text: str) -> str:
    """Lower case without accents, quotation marks straight, English contractions written out."""
    apart = unicodedata.normalize("NFKD", text.lower().replace("’", "'").replace("ß", "ss"))
    plain = " ".join("".join(one for one in apart if not unicodedata.combining(one)).split())
    for contraction, words in _CONTRACTIONS:
        plain = contraction.sub(words, plain)
    return plain


@cache
def shipped_help_texts() -> dict[str, str]:
    """The help texts that ship, by country code; "" is for all other countries."""
    table: dict[str, str] = tomllib.loads(_HELP_LINES.read_text(encoding="utf-8"))
    return {"" if country == "other" else country: text.strip() for country, text in table.items()}


def shipped_help_text(country: str) -> str:
    """The shipped text for a country, for when the approved one cannot be read."""
    texts = shipped_help_texts()
    return texts.get(country.strip().upper(), texts[""])
