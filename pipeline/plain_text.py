"""Short plain text for people: suggestions, options, titles."""

import re

from pipeline.outgoing import without_links

SHORT_TEXT = 140

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]*)[\"“”»]")


def plain_text(text: str, limit: int = SHORT_TEXT) -> str:
    """The text as one plain line: no links, images, tags, markup or control characters, cut at a word's end.

    Quotation marks around the whole of it go; those around a part of it stay.
    """
    line = without_links("".join(character if character.isprintable() else " " for character in text))
    line = re.sub(r"^\s*(?:[#>*•-]+|\d{1,2}[.)])\s+|[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}", "", line)
    line = " ".join(line.split())
    if quoted := _QUOTED.fullmatch(line):
        line = quoted[1].strip()
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" ,;:-") + "…"
