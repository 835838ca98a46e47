"""How much an edge or a persona chunk counts, and which of them are shown. Pure."""

from collections.abc import Collection, Iterable

from corpus.graph.store import Edge, PersonaHit

MAX_RELATIONSHIPS = 12
MAX_PERSONA_CONTEXT = 3


def edge_score(*, weight: int, hops: int, near: int) -> int:
    """An edge's score: weight x 0.5^(hops - 1) x question concepts within two hops through it, doubled to be whole."""
    return weight * near * (2 if hops == 1 else 1)


def choose_relationships(edges: Iterable[Edge], published: Collection[int]) -> list[Edge]:
    """The edges to show, best first: only those whose proof is a published chunk."""
    proven = [edge for edge in edges if edge.proof in published]
    return sorted(proven, key=lambda edge: (-edge.score, edge.relationship))[:MAX_RELATIONSHIPS]


def choose_persona_chunks(
    hits: Iterable[PersonaHit], published: Collection[int], taken: Collection[int]
) -> list[PersonaHit]:
    """The persona chunks to show, most mentions first: published ones that are not chosen already."""
    free = [hit for hit in hits if hit.chunk in published and hit.chunk not in taken]
    return sorted(free, key=lambda hit: (-hit.mentions, hit.chunk))[:MAX_PERSONA_CONTEXT]
