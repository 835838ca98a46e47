"""Markdown (CommonMark with tables): headings by structure, so that a `#` inside code is never one."""

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from corpus.ingestion.readers.decoding import decode
from corpus.ingestion.readers.front_matter import take_front_matter
from corpus.ingestion.sections import BlockKind, Outline, Reading

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_INDENT = "  "
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def read_markdown(data: bytes) -> Reading:
    """The sections of a Markdown file; its first heading of the highest level is its title. Raises UnreadableFile."""
    decoded = decode(data)
    matter = take_front_matter(decoded.text)
    tokens = _PARSER.parse(matter.body)
    outline = Outline()
    _Walk(outline).read(tokens)
    return Reading(
        sections=outline.sections(),
        title=matter.title or _first_heading(tokens),
        language=matter.language,
        warnings=decoded.warnings,
    )


def _first_heading(tokens: Sequence[Token]) -> str:
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and (text := _heading_text(inline)):
            return text
    return ""


def _heading_text(inline: Token) -> str:
    return " ".join(_plain(inline).split())


class _Walk:
    """One pass over a file's tokens."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._lists: list[int | None] = []
        """For each open list the number of its next item; None for bullets."""
        self._marker = ""
        self._row: list[str] = []
        self._in_cell = False
        self._in_head = False

    def read(self, tokens: Sequence[Token]) -> None:
        """Hand every block to the outline, in order."""
        heading: Token | None = None
        for token in tokens:
            match token.type:
                case "heading_open":
                    heading = token
                case "heading_close":
                    heading = None
                case "inline":
                    self._inline(token, heading)
                case "fence" | "code_block":
                    self._outline.block(token.content.rstrip("\n"), BlockKind.LINES)
                case "html_block":
                    self._outline.block(_without_tags(token.content))
                case "tr_close":
                    kind = BlockKind.HEAD if self._in_head else BlockKind.ROW
                    self._outline.block(" | ".join(self._row).rstrip(" |"), kind)
                    self._row = []
                case _:
                    self._container(token)

    def _inline(self, token: Token, heading: Token | None) -> None:
        if heading is not None and heading.level == 0:
            self._outline.heading(_heading_text(token), int(heading.tag[1]))
        elif self._in_cell:
            self._row.append(" ".join(_plain(token).split()))
        elif self._lists:
            indent = _INDENT * (len(self._lists) - 1)
            lead = f"{indent}{self._marker}" if self._marker else indent + _INDENT
            self._outline.block(lead + _plain(token), BlockKind.ITEM)
            self._marker = ""
        else:
            self._outline.block(_plain(token))

    def _container(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                number = self._lists[-1]
                self._marker = "- " if number is None else f"{number}. "
                self._lists[-1] = None if number is None else number + 1
            case "thead_open" | "thead_close":
                self._in_head = token.type == "thead_open"
            case "th_open" | "td_open":
                self._in_cell = True
            case "th_close" | "td_close":
                self._in_cell = False


def _plain(inline: Token) -> str:
    """What a reader sees of an inline token: marks, addresses and tags fall away, their words stay."""
    return "".join(_words(inline.children or [])).strip()


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "softbreak":
                yield " "
            case "hardbreak":
                yield "\n"
            case "html_inline":
                yield "\n" if token.content.lower().startswith("<br") else ""
            case _:
                yield token.content


class _Text(HTMLParser):
    """Gathers the text of a piece of HTML; scripts and styles say nothing."""

    _SILENT = ("script", "style", "template", "iframe", "object")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the parser passes it
        self._silent += tag in self._SILENT

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self._SILENT and self._silent > 0
        self.pieces.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)


def _without_tags(html: str) -> str:
    parser = _Text()
    parser.feed(_COMMENT.sub("", html))
    parser.close()
    return "\n".join(line for line in (" ".join(line.split()) for line in "".join(parser.pieces).split("\n")) if line)
