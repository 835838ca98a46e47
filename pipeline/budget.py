"""How much text a model is given: a token counts as 3.5 bytes of UTF-8, for every provider alike."""

BYTES_A_TOKEN = 3.5


def tokens_of(text: str) -> int:
    """About how many tokens the text takes, rounded up."""
    size = len(text.encode("utf-8", "replace"))
    return -int(-size // BYTES_A_TOKEN)


def cut_to(text: str, tokens: int) -> str:
    """The longest beginning of the text within so many tokens, in whole characters."""
    size = max(0, int(tokens * BYTES_A_TOKEN))
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
