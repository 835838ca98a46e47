"""Whether a question points at something said before: "it", "that one", "the other", "your answer" (pure, English).

Each kind of pointer is content with another kind of word before it in the same question: "it" with a thing, "he" with a
person, "that" only with what an earlier clause says. The lists stand in question_rules.toml.
"""

import re
from pathlib import Path

from pipeline.patterns import PatternFile
from pipeline.words import content_words

_RULES = PatternFile(Path(__file__).with_name("question_rules.toml"))

_GRAMMAR = _RULES.pattern("grammar")
_DEMONSTRATIVES = _RULES.pattern("demonstratives")
_THINGS = _RULES.pattern("things")
_PERSONS = _RULES.pattern("persons")
_EITHER = _RULES.pattern("either")
_OTHERS = _RULES.pattern("others")
_SAID_BEFORE = _RULES.pattern("said_before")
_FRAGMENTS = _RULES.pattern("fragments")
_PARTS = _RULES.pattern("parts")

_NO_ANTECEDENT = _RULES.word_set("no_antecedent")
_PEOPLE = _RULES.word_set("people")
_PARTS_OF_THINGS = _RULES.word_set("parts_of_things")

_NAMED_AFTER = re.compile(r", (?:the|my|our|his|her|a|an|people|those|jay|samit)\b[^,.;:]*[?.!]*$")
"""What a pointer stands for may be said after it: "How did he begin, the author?"."""

_CLAUSE_END = re.compile(
    r"[.?!;:,–—()]|\b(?:and|but|or|if|when|because|while|before|after|since|so|who|that|than|once)\b"
)


def points_away(question: str, no_subjects: frozenset[str] = frozenset()) -> bool:
    """Whether it points at something that the question itself has not named before.

    Words of `no_subjects` before a pointer do not count as naming something.
    """
    plain = _GRAMMAR.sub(" ", question.lower().replace("’", "'").strip())
    if _FRAGMENTS.search(plain) or _SAID_BEFORE.search(plain) or _names_only_a_part(plain):
        return True
    if _NAMED_AFTER.search(plain):
        return False
    things = _NO_ANTECEDENT | no_subjects | _PARTS_OF_THINGS | _PEOPLE
    persons = _NO_ANTECEDENT | no_subjects | (_PARTS_OF_THINGS - _PEOPLE)
    return (
        _away(_DEMONSTRATIVES, plain, None, no_subjects)
        or _away(_OTHERS, plain, things, no_subjects)
        or _away(_THINGS, plain, things, no_subjects)
        or _away(_PERSONS, plain, persons, no_subjects)
        or _away(_EITHER, plain, _NO_ANTECEDENT | no_subjects, no_subjects)
    )


def _away(pointer: re.Pattern[str], plain: str, nothing: frozenset[str] | None, no_subjects: frozenset[str]) -> bool:
    """Whether the first pointer of a kind finds nothing before it.

    In its own clause it finds any content word but those of `nothing`, and none at all where that is None.
    """
    found = pointer.search(plain)
    if found is None:
        return False
    before = plain[: found.start()]
    ends = [end.end() for end in _CLAUSE_END.finditer(before)]
    earlier, own = (before[: ends[-1]], before[ends[-1] :]) if ends else ("", before)
    if not no_subjects.issuperset(content_words(earlier)):
        return False
    return nothing is None or nothing.issuperset(content_words(own))


def _names_only_a_part(plain: str) -> bool:
    """Whether all it names is a part of something: "which chapter", "the quote"."""
    return bool(_PARTS.search(plain)) and (_NO_ANTECEDENT | _PARTS_OF_THINGS).issuperset(content_words(plain))
