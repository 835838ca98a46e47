"""Which words of an English question carry its subject (pure)."""

import re

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

# Words that ask, point or join, and words that only say that help is wanted: none of them names a subject.
_FUNCTION_WORDS = frozenset(
    """
    a about above across actually after again against ago ahead all almost along already also although always am
    an and another any anybody anyone anything anyway are around as ask asked asking at away back be became
    because become been before being below best better between both but by came can can't cannot cant come could
    did didn't different do does doesn't doing don't done dont down each either else enough etc even ever every
    everything exactly explain few find first for from further gave get gets getting give given go goes going
    gone good got great had happen happened happens has have haven't having he hello help her here hers herself
    hey hi him himself his how how's however i i'd i'll i'm i've if in instead into is isn't it it's its itself
    just keep know last least less let let's like little lot made make makes making many may maybe me mean means
    might mine more most much must my myself need needs never next no not nothing now of off ok okay on once one
    ones only or other others our ours out over own part perhaps please possible put quite rather really
    regarding right said same say says second see seem seems shall she should show so some somebody someone
    something sort still stuff such sure take tell than thank thanks that that's the their theirs them
    themselves then there there's these they thing things think third this those though thoughts through to
    together too toward try two under until up upon us use used using very want wants was wasn't way ways we
    well were weren't what what's whatever when where whether which while who whom whose why will with within
    without won't wonder would wouldn't yes yet you you're your yours yourself
    """.split()  # noqa: SIM905 (a table of words is read more easily than a list of quoted ones)
)


def words_of(text: str) -> list[str]:
    """The words in lower case, straight apostrophes, in order."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


SAME = 0.8
"""Two questions that share this much of their words are one."""


def same_question(one: str, other: str) -> bool:
    """Whether two questions ask the same, by their words."""
    if words_of(one) == words_of(other):
        return True
    first, second = set(content_words(one)), set(content_words(other))
    return bool(first) and bool(second) and len(first & second) >= SAME * len(first | second)


def content_words(text: str) -> list[str]:
    """The words that can name a subject, in order."""
    return [
        word
        for word in words_of(text)
        if word not in _FUNCTION_WORDS and word.removesuffix("'s") not in _FUNCTION_WORDS
    ]
