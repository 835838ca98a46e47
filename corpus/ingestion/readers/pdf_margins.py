"""What stands at the edge of every page and belongs to none: running heads, running feet, page numbers."""

import re
from collections import defaultdict
from collections.abc import Sequence

from corpus.ingestion.readers.pdf_lines import Line

_EDGE_LINES = 2
"""So many lines from the top and from the bottom can be running ones."""
_PAGES = 3
"""A line on so many pages, at the same height, is a running one."""
_SHARE = 0.1
"""And on this share of all pages."""
_LONGEST = 150
_SAME_HEIGHT = 4.0
"""In points."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|·•\[(]*(?:(?:page|seite|p\.|s\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|von|/)\s*\d{1,4})?[\s\-–—|·•\])]*",
    re.IGNORECASE,
)


def without_margins(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages' lines in their order, without running heads, running feet and page numbers."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for lines in pages:
        for line in _edge(lines):
            for height in _heights(line):
                seen[_key(line), height].add(line.page)
    enough = max(_PAGES, len(pages) * _SHARE)

    def runs(line: Line) -> bool:
        return len(line.text) <= _LONGEST and any(len(seen[_key(line), height]) >= enough for height in _heights(line))

    kept = []
    for lines in pages:
        running = {id(line) for line in _edge(lines) if runs(line) or _PAGE_NUMBER.fullmatch(line.text)}
        kept.append([line for line in lines if id(line) not in running])
    return kept


def _edge(lines: Sequence[Line]) -> list[Line]:
    """The lines nearest to the page's top and bottom; on a page of few lines only the outermost."""
    by_height = sorted(lines, key=lambda line: line.bottom)
    count = min(_EDGE_LINES, len(lines) // 3)
    return by_height[:count] + by_height[len(lines) - count :]


def _key(line: Line) -> str:
    return _DIGITS.sub("#", line.text.casefold())


def _heights(line: Line) -> tuple[int, int]:
    """The two bands a line's height may be told by, so that none is cut in two by a band's edge."""
    band = int(line.bottom / _SAME_HEIGHT)
    return (band, band + 1) if line.bottom % _SAME_HEIGHT > _SAME_HEIGHT / 2 else (band - 1, band)
