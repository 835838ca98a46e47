"""Event ids as clients send them back."""

from pipeline.errors import UnknownEvent

MAX_DIGITS = 9


def seq_of(text: str) -> int:
    """The seq that this id is. Raises UnknownEvent for what no event of ours ever had."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise UnknownEvent
    return int(text)
