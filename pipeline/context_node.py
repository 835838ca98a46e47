"""The context node: what the models read, in order and within a budget."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.taxonomy import AUTHORITY_LABELS, Authority
from pipeline.budget import tokens_of
from pipeline.turn import Context, GraphResult, RagResult, Retrieval, Source

CONTEXT_TOKENS = 6_000
EXCERPT_CHARACTERS = 300
_MIN_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class _Piece:
    """Neighbouring chunks of one document as one text; alone, a chunk is a piece too."""

    first: RagResult
    chunks: tuple[int, ...]
    text: str


def build_context(*, retrieval: Retrieval) -> Context:
    """The numbered sources within 6,000 tokens: primary ones first, never crowded out, then in the order found.

    Persona chunks and the proofs of relationships are numbered too; a relationship without its proof is not shown.
    """
    found = _in_order(retrieval)
    kept = _within_budget(found)
    pieces = _joined(kept)
    sources = tuple(_source(number, piece) for number, piece in enumerate(pieces, start=1))
    number_of = {chunk: source.number for piece, source in zip(pieces, sources, strict=True) for chunk in piece.chunks}
    return Context(
        sources=sources,
        relationships=tuple(_proved(retrieval.graph_results, number_of)),
        concepts=tuple(dict.fromkeys(name for item in retrieval.graph_results for name in item.entities)),
        covered=retrieval.covered and bool(sources),
        dropped=len(found) - len(kept),
        nearest=retrieval.nearest,
    )


def _in_order(retrieval: Retrieval) -> list[RagResult]:
    """Every chunk once: the results, persona chunks, proofs; of these, primary ones before all others."""
    persona = [chunk for item in retrieval.graph_results for chunk in item.persona_context]
    proofs = [item.proof for item in retrieval.graph_results if item.proof is not None]
    once: dict[int, RagResult] = {}
    for chunk in (*retrieval.rag_results, *persona, *proofs):
        once.setdefault(chunk.chunk, chunk)
    return sorted(once.values(), key=lambda chunk: chunk.authority is not Authority.PRIMARY)


def _within_budget(found: Sequence[RagResult]) -> list[RagResult]:
    kept = []
    left = CONTEXT_TOKENS
    for chunk in found:
        cost = tokens_of(_as_data(0, chunk, chunk.content))
        if cost <= left:
            kept.append(chunk)
            left -= cost
    return kept


def _joined(kept: Sequence[RagResult]) -> list[_Piece]:
    """Chunks that follow one another in a document as one piece, which stands where its best chunk stood."""
    place = {chunk.chunk: index for index, chunk in enumerate(kept)}
    by_document = sorted(kept, key=lambda chunk: (chunk.document, chunk.ordinal))
    runs: list[list[RagResult]] = [[chunk] for chunk in by_document[:1]]
    for before, chunk in pairwise(by_document):
        if chunk.document == before.document and chunk.ordinal == before.ordinal + 1:
            runs[-1].append(chunk)
        else:
            runs.append([chunk])
    runs.sort(key=lambda run: min(place[chunk.chunk] for chunk in run))
    return [_Piece(run[0], tuple(chunk.chunk for chunk in run), _text_of(run)) for run in runs]


def _text_of(run: Sequence[RagResult]) -> str:
    text = run[0].content
    for chunk in run[1:]:
        overlap = _overlap(text, chunk.content)
        text += chunk.content[overlap:] if overlap else "\n\n" + chunk.content
    return text


def _overlap(text: str, following: str) -> int:
    """How many characters both share where one ends and the other begins; a few alone are chance."""
    longest = min(len(text), len(following))
    return next((size for size in range(longest, _MIN_OVERLAP, -1) if text.endswith(following[:size])), 0)


def _source(number: int, piece: _Piece) -> Source:
    chunk = piece.first
    return Source(
        number=number,
        document=chunk.document,
        chunk=chunk.public_id,
        title=chunk.title,
        authority=chunk.authority,
        content_type=chunk.content_type,
        locator=chunk.locator,
        heading_path=chunk.heading_path,
        text=piece.text,
        excerpt=_excerpt(piece.text),
        link=f"/api/v1/documents/{chunk.document}",
        data=_as_data(number, chunk, piece.text),
    )


def _proved(items: Iterable[GraphResult], number_of: dict[int, int]) -> Iterator[str]:
    for item in items:
        if item.proof is not None and item.proof.chunk in number_of:
            yield f"{'; '.join(item.relationships)} [{number_of[item.proof.chunk]}]"


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= EXCERPT_CHARACTERS:
        return line
    return line[: EXCERPT_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


def _as_data(number: int, chunk: RagResult, text: str) -> str:
    """The text between delimiters. Every angle bracket within is written out, so that nothing can close them."""
    place = " > ".join(chunk.heading_path)
    label = AUTHORITY_LABELS[chunk.authority].split(":")[0].lower()
    title = _escaped(chunk.title).replace('"', "&quot;")
    heading = _escaped(place).replace('"', "&quot;")
    return (
        f'<source number="{number}" authority="{label}" title="{title}" place="{heading}">\n{_escaped(text)}\n</source>'
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
