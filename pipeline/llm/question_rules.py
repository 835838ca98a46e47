"""What can be told of a question by its words alone (pure, English): small talk, pointing at something absent, two
referents, too little said. The lists stand in question_rules.toml.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from pipeline.patterns import PatternFile
from pipeline.turn import MemoryTurn
from pipeline.words import content_words, words_of

RULES = PatternFile(Path(__file__).with_suffix(".toml"))

_SMALL_TALK = RULES.word_set("small_talk")
_IN_SMALL_TALK = _SMALL_TALK | RULES.word_set("beside_small_talk")
_VAGUE = RULES.word_set("vague")
_REMARKS = RULES.pattern("remarks")
_POINTERS = RULES.pattern("pointers")
_GRAMMAR = RULES.pattern("grammar")
_TWO = RULES.pattern("two")
_ONE_OF_TWO = RULES.pattern("one_of_two")
_NO_ANTECEDENT = RULES.word_set("no_antecedent")
_CHOSEN = RULES.pattern("chosen")

_FRAGMENT = re.compile(r"(?<=\?)\s*|[,.!;:\n()]+|\s[–—-]\s")
_LONGEST_SMALL_TALK = 14


def is_small_talk(question: str) -> bool:
    """Whether it greets, thanks, says goodbye or remarks, and asks nothing of the library."""
    if not words_of(question):
        return any(unicodedata.category(character) == "So" for character in question)
    return all(map(_is_remark, filter(words_of, _FRAGMENT.split(question))))


def _is_remark(fragment: str) -> bool:
    words = words_of(fragment)
    if _REMARKS.fullmatch(" ".join(words)):
        return True
    if len(words) > _LONGEST_SMALL_TALK or _SMALL_TALK.isdisjoint(words) or "?" in fragment:
        return False
    return _IN_SMALL_TALK.issuperset(words)


def points_away(question: str, no_subjects: frozenset[str] = frozenset()) -> bool:
    """Whether it points ("it", "that one", "there") at something that the question itself has not named before.

    Words of `no_subjects` before the pointer do not count as naming something.
    """
    plain = _GRAMMAR.sub(" ", question.lower().replace("’", "'").strip())
    found = _POINTERS.search(plain)
    return found is not None and (_NO_ANTECEDENT | no_subjects).issuperset(content_words(plain[: found.start()]))


def has_subject(memory: Sequence[MemoryTurn]) -> bool:
    """Whether an earlier turn named something to point at."""
    return any(content_words(turn.standalone or turn.question) for turn in memory)


def two_referents(question: str, memory: Sequence[MemoryTurn]) -> tuple[str, ...]:
    """The two things of the last question that "that one" may mean; none when only one or neither may be meant."""
    plain = question.lower()
    if not memory or not _ONE_OF_TWO.search(plain) or _CHOSEN.search(plain) or not points_away(question):
        return ()
    found = _TWO.search(memory[-1].question.lower())
    if found is None or not all(content_words(name) for name in found.groups()):
        return ()
    names = tuple(content_words(name)[-1] for name in found.groups())
    return () if any(name in plain for name in names) else names


def clarity_of(question: str) -> float:
    """0 to 1, how far it says what is asked: nothing named .1, only words like "advice" .3, one word .7, else .9."""
    content = content_words(question)
    if not content:
        return 0.1
    if all(word in _VAGUE for word in content):
        return 0.3
    return 0.7 if len(words_of(question)) == 1 else 0.9
