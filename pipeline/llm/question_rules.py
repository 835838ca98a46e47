"""What can be told of a question by its words alone (pure, English): small talk, a wish to look around, two referents,
too little said. The lists stand in question_rules.toml.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from pipeline.llm.pointing import points_away
from pipeline.patterns import PatternFile
from pipeline.turn import MemoryTurn
from pipeline.words import content_words, words_of

RULES = PatternFile(Path(__file__).with_suffix(".toml"))

_SMALL_TALK = RULES.word_set("small_talk")
_IN_SMALL_TALK = _SMALL_TALK | RULES.word_set("beside_small_talk")
_VAGUE = RULES.word_set("vague")
_REMARKS = RULES.pattern("remarks")
_BROWSING = RULES.pattern("browsing")
_ABOUT_SERVICE = RULES.pattern("about_service")
_BARE = RULES.pattern("bare")
_TWO = RULES.pattern("two")
_ONE_OF_TWO = RULES.pattern("one_of_two")
_CHOSEN = RULES.pattern("chosen")

_FRAGMENT = re.compile(r"(?<=\?)\s*|[,.!;:\n()]+|\s[–—-]\s")
_INTRODUCTION = re.compile(r"\s*(?:I['’]m|I am|it['’]s|this is|here is) [A-Z][\w-]+(?: [A-Z][\w-]+)?(?: here)?\s*")
_LONGEST_SMALL_TALK = 14


def is_small_talk(question: str) -> bool:
    """Whether it greets, thanks, says goodbye or remarks, and asks nothing of the library."""
    if not words_of(question):
        return any(unicodedata.category(character) == "So" for character in question)
    fragments = [fragment for fragment in _FRAGMENT.split(question) if words_of(fragment)]
    # "Hi, I'm Anna": who greets may say who they are.
    said = [fragment for fragment in fragments if not _INTRODUCTION.fullmatch(fragment)]
    return bool(said) and all(map(_is_remark, said))


def _is_remark(fragment: str) -> bool:
    words = words_of(fragment)
    if _REMARKS.fullmatch(" ".join(words)):
        return True
    if len(words) > _LONGEST_SMALL_TALK or _SMALL_TALK.isdisjoint(words) or "?" in fragment:
        return False
    return _IN_SMALL_TALK.issuperset(words)


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


def wants_to_browse(question: str) -> bool:
    """Whether it is a wish to look around, which names no subject because it has none yet."""
    return bool(_BROWSING.search(_plain(question)))


def asks_about_service(question: str) -> bool:
    """Whether it is about the companion itself."""
    return bool(_ABOUT_SERVICE.search(_plain(question)))


def asks_barely(question: str) -> bool:
    """Whether all it says of its subject is that something is asked about it: "What is leverage?", "Equity?"."""
    return bool(_BARE.fullmatch(_plain(question)))


def clarity_of(question: str) -> float:
    """0 to 1, how far it says what is asked: nothing named .1, only words like "advice" .3, one word .7, else .9."""
    if wants_to_browse(question) or asks_about_service(question):
        return 0.9
    content = content_words(question)
    if not content:
        return 0.1
    if all(word in _VAGUE for word in content):
        return 0.3
    return 0.7 if len(words_of(question)) == 1 else 0.9


def _plain(question: str) -> str:
    return question.lower().replace("’", "'").strip()
