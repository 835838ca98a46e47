"""Where sentences begin and end in ordinary prose (pure)."""

import re

# A stop, what closes after it, then white space and something that can begin a sentence; or a line's end.
_BREAK = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s+[\"'“‘„«(\[]*[A-Z0-9À-ÖØ-ÞА-Я])|[。！？]|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|cf|No|Vol|pp?|Inc|Ltd|Co)|\b[A-Z])\.$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The [start, end) of each sentence, without the white space between them."""
    spans = []
    start = 0
    for found in _BREAK.finditer(text):
        if _ABBREVIATION.search(text, max(0, found.end() - 8), found.end()):
            continue
        spans.append((start, found.end()))
        start = found.end()
    spans.append((start, len(text)))
    return [trimmed for trimmed in (_trim(text, *span) for span in spans) if trimmed[0] < trimmed[1]]


def sentences_of(text: str) -> list[str]:
    """The sentences themselves."""
    return [text[start:end] for start, end in sentence_spans(text)]


def last_sentence(text: str) -> tuple[int, int]:
    """The span of the last sentence; (0, 0) when there is none."""
    spans = sentence_spans(text)
    return spans[-1] if spans else (0, 0)


def ends_sentence(text: str) -> bool:
    """Whether the text contains the end of a sentence, or of a line."""
    return bool(_BREAK.search(text))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece) - len(piece.rstrip())
    return start + left, max(start + left, end - right)
