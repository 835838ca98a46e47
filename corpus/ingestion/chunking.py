"""Cutting sections into chunks: by structure, within fixed limits, at places that stay when the text around changes.

A chunk never spans two sections. Blocks are kept whole where they fit; a longer one is taken apart into sentences (code
into lines), words, and at last anywhere. Nothing is said twice but a table's head above rows that go on in another
chunk: neighbours are joined again when they are read.
"""

import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

from corpus.ingestion.prefix import MAX_PREFIX_CHARACTERS, MAX_PREFIX_TOKENS, prefix_of
from corpus.ingestion.sections import Block, BlockKind, Section
from corpus.ingestion.splitting import Piece, split_lines, split_prose
from corpus.ingestion.words import cut_long_words

MAX_TOKENS = 240
"""Of prefix and text in the local model's tokenizer."""
MAX_CHARACTERS = 1_600
"""Of prefix and text."""
# The prefix has its share set aside whole, used or not: so another title moves no chunk's end.
_TEXT_TOKENS = MAX_TOKENS - MAX_PREFIX_TOKENS
_TEXT_CHARACTERS = MAX_CHARACTERS - MAX_PREFIX_CHARACTERS - 1
_ENOUGH = 0.6
"""A chunk this full may end early, where that makes its end a stable place."""
_STABLE_ENDS = 3
"""Of so many ends of blocks one is a stable place."""
_HALF = 0.5
"""A chunk less full than this takes part of a block that does not fit; a fuller one leaves it whole for the next."""
_HEAD_SHARE = 0.3
"""Of a chunk, that a table's head may take where it is said again."""
_TINY_TOKENS = 30
"""A section's last chunk under it is joined to the one before, or evened out with it."""

_COUNTS_KEPT = 1_024

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class CutChunk:
    """One chunk as cut. What is embedded is `embedded_text`."""

    heading_path: tuple[str, ...]
    locator: Mapping[str, str]
    prefix: str
    text: str
    tokens: int

    @property
    def embedded_text(self) -> str:
        """The text as embedded (recipe 1): prefix, line feed, text."""
        return embedded_text(self.prefix, self.text)

    @property
    def content_hash(self) -> str:
        """Equal for chunks of equal heading path and text."""
        return _hash(*self.heading_path, self.text)

    @property
    def embed_hash(self) -> str:
        """Equal for chunks of equal vectors."""
        return _hash(self.prefix, self.text)


def embedded_text(prefix: str, text: str) -> str:
    """What is embedded for a chunk (recipe 1)."""
    return f"{prefix}\n{text}" if prefix else text


def cut_chunks(sections: Sequence[Section], *, title: str, count: CountTokens) -> list[CutChunk]:
    """The chunks of a document in reading order, each within MAX_TOKENS and MAX_CHARACTERS with its prefix."""
    remembered = lru_cache(maxsize=_COUNTS_KEPT)(count)
    return [
        chunk
        for section in _with_bare_headings(sections)
        for chunk in _Cutter(section, title, remembered).chunks()
        if any(character.isalnum() for character in chunk.text)
    ]


def _with_bare_headings(sections: Sequence[Section]) -> Iterator[Section]:
    """A heading right above a deeper one opens that one's section: alone it would make a chunk that says nothing."""
    waiting: tuple[Block, ...] = ()
    for section, following in zip(sections, [*sections[1:], None], strict=False):
        blocks = waiting + section.blocks
        waiting = ()
        depth = len(section.heading_path)
        bare = all(block.kind is BlockKind.HEADING for block in blocks)
        if (
            bare
            and following
            and depth < len(following.heading_path)
            and following.heading_path[:depth] == section.heading_path
        ):
            waiting = blocks
        else:
            yield Section(section.heading_path, blocks, section.locator, section.language)


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is not taken apart any further when chunks are filled."""

    piece: Piece
    tokens: int
    kind: BlockKind
    locator: Mapping[str, str]
    is_block: bool = False
    is_said_again: bool = False
    """A table's head, above rows that another chunk begins with."""

    @property
    def size(self) -> int:
        return len(self.piece.gap) + len(self.piece.text)


class _Cutter:
    """Cuts one section."""

    def __init__(self, section: Section, title: str, count: CountTokens) -> None:
        self._section = section
        self._title = title
        self._count = count
        self._own = sum(1 for _ in _leading_headings(section))

    def chunks(self) -> Iterator[CutChunk]:
        """The section's chunks in order."""
        groups = self._join_tiny(list(self._fill(list(self._atoms()))))
        first = True
        for group in groups:
            for text in self._within(_text(group)):
                yield self._chunk(text, self._place(group), first)
                first = False

    def _atoms(self) -> Iterator[_Atom]:
        previous: Block | None = None
        for block in self._section.blocks:
            text = cut_long_words(block.text.strip("\n"))
            gap = "\n" if previous and _tight(previous, block) else "\n\n"
            atom = _Atom(Piece(text, gap), self._count(text), block.kind, block.locator, is_block=True)
            if self._fits(text):
                yield atom
            else:
                yield from self._atoms_within(atom)
            previous = block

    def _fits(self, text: str) -> bool:
        return len(text) <= _TEXT_CHARACTERS and self._count(text) <= _TEXT_TOKENS

    def _taken_apart(self, text: str, kind: BlockKind) -> list[Piece]:
        return (split_lines if kind is BlockKind.LINES else split_prose)(text, self._fits)

    def _fill(self, atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
        group: list[_Atom] = []
        head: _Atom | None = None
        waiting = deque(atoms)
        while waiting:
            atom = waiting.popleft()
            head = atom if atom.kind is BlockKind.HEAD else head if atom.kind is BlockKind.ROW else None
            if group and self._over(group, atom):
                if atom.is_block and not self._filled(group, _HALF):
                    waiting.extendleft(reversed(self._atoms_within(atom)))
                    continue
                yield group
                group = self._opened(head, atom)
            elif group and self._stable_end(group, atom):
                yield group
                group = self._opened(head, atom)
            group.append(atom)
        if group:
            yield group

    def _opened(self, head: _Atom | None, atom: _Atom) -> list[_Atom]:
        """What a new chunk begins with before this atom: a table's head above a row that is not its first."""
        if head is None or head is atom or head.tokens > _TEXT_TOKENS * _HEAD_SHARE or self._over([head], atom):
            return []
        return [replace(head, is_said_again=True)]

    def _atoms_within(self, atom: _Atom) -> list[_Atom]:
        """A whole block as its sentences or lines, so that it can share a chunk with what stands before it."""
        pieces = self._taken_apart(atom.piece.text, atom.kind)
        first = Piece(pieces[0].text, atom.piece.gap)
        return [_Atom(piece, self._count(piece.text), atom.kind, atom.locator) for piece in (first, *pieces[1:])]

    def _filled(self, group: Sequence[_Atom], share: float) -> bool:
        return sum(held.tokens for held in group) >= _TEXT_TOKENS * share

    def _over(self, group: Sequence[_Atom], atom: _Atom) -> bool:
        tokens = sum(held.tokens for held in group) + atom.tokens
        return tokens > _TEXT_TOKENS or sum(held.size for held in group) + atom.size > _TEXT_CHARACTERS

    def _stable_end(self, group: Sequence[_Atom], atom: _Atom) -> bool:
        """Whether a chunk may end before this block: chosen by the block alone, so that an edit moves few ends."""
        return (
            self._filled(group, _ENOUGH) and atom.is_block and zlib.crc32(atom.piece.text.encode()) % _STABLE_ENDS == 0
        )

    def _join_tiny(self, groups: list[list[_Atom]]) -> list[list[_Atom]]:
        if len(groups) < 2 or sum(atom.tokens for atom in groups[-1]) >= _TINY_TOKENS:
            return groups
        last = groups[-2] + [atom for atom in groups[-1] if not atom.is_said_again]
        if not self._over(last[:-1], last[-1]):
            return [*groups[:-2], last]
        half = sum(atom.tokens for atom in last) / 2
        cut = min(range(1, len(last)), key=lambda at: abs(sum(atom.tokens for atom in last[:at]) - half))
        if self._over(last[cut:-1], last[-1]):
            return groups
        return [*groups[:-2], last[:cut], last[cut:]]

    def _within(self, text: str) -> Iterator[str]:
        """The text, halved as long as the count of the whole, not of its pieces, is over a limit."""
        if len(text) < 2 or self._fits(text):
            yield text
            return
        middle = text.rfind(" ", 1, len(text) // 2 + 1)
        middle = middle if middle > 0 else len(text) // 2
        for half in (text[:middle].rstrip(), text[middle:].lstrip()):
            if half:
                yield from self._within(half)

    def _place(self, group: Sequence[_Atom]) -> dict[str, str]:
        """Where a chunk stands: its section's place and where its first block begins; of pages, also the last."""
        own = next((atom.locator for atom in group if not atom.is_said_again), {})
        place = {**self._section.locator, **own}
        last = group[-1].locator.get("page", "")
        if last and last != place.get("page"):
            place["page"] = f"{place['page']}–{last}" if "page" in place else last
        return place

    def _chunk(self, text: str, place: Mapping[str, str], first: bool) -> CutChunk:
        prefix = self._prefix(own_headings=not first)
        tokens = self._count(embedded_text(prefix, text))
        return CutChunk(self._section.heading_path, place, prefix, text, tokens)

    def _prefix(self, *, own_headings: bool) -> str:
        """Title and headings; without those that stand in the text itself, as they do in a section's first chunk."""
        path = self._section.heading_path
        headings = path if own_headings else path[: len(path) - self._own]
        return prefix_of(self._title, headings, self._count)


def _leading_headings(section: Section) -> Iterator[Block]:
    for block in section.blocks:
        if block.kind is not BlockKind.HEADING:
            return
        yield block


def _tight(before: Block, block: Block) -> bool:
    """Whether a block stands on the line after the one before it."""
    if block.kind is BlockKind.ROW:
        return before.kind in (BlockKind.HEAD, BlockKind.ROW)
    return block.kind is BlockKind.ITEM and before.kind is BlockKind.ITEM


def _text(group: Sequence[_Atom]) -> str:
    """The atoms' text as it stood, without what stood before the first."""
    return group[0].piece.text + "".join(atom.piece.gap + atom.piece.text for atom in group[1:])


def _hash(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()
