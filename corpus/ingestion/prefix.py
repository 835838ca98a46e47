"""What is embedded before a chunk's text so that it says what it is about: the title and the nearest headings."""

from collections.abc import Callable, Sequence

from corpus.ingestion.words import cut_long_words

MAX_PREFIX_TOKENS = 60
MAX_PREFIX_CHARACTERS = 400


def prefix_of(title: str, headings: Sequence[str], count: Callable[[str], int]) -> str:
    """Title and headings within MAX_PREFIX_TOKENS; the outer headings give way first, then the end is cut.

    A heading that only repeats the title is left out.
    """
    kept = [heading for heading in headings if heading.casefold() != title.casefold()]
    while len(kept) > 1 and not _fits(_joined(title, kept), count):
        del kept[0]
    prefix = _joined(title, kept)
    while not _fits(prefix, count):
        prefix = prefix[: len(prefix) * 4 // 5].rstrip()
    return prefix


def _joined(title: str, headings: Sequence[str]) -> str:
    return cut_long_words("\n".join(part for part in (title, " > ".join(headings)) if part))


def _fits(prefix: str, count: Callable[[str], int]) -> bool:
    return len(prefix) <= MAX_PREFIX_CHARACTERS and count(prefix) <= MAX_PREFIX_TOKENS
