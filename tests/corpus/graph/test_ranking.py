import pytest

from corpus.graph.ranking import choose_persona_chunks, choose_relationships, edge_score
from corpus.graph.store import Edge, PersonaHit


def edge(number: int, score: int, proof: int | None = 1) -> Edge:
    return Edge(relationship=number, source=1, target=2, kind="helps", hops=1, score=score, proof=proof)


@pytest.mark.parametrize(
    ("weight", "hops", "near", "score"), [(5, 1, 1, 10), (5, 2, 1, 5), (3, 1, 2, 12), (10, 2, 3, 30)]
)
def test_an_edge_counts_by_weight_nearness_and_concepts(weight: int, hops: int, near: int, score: int) -> None:
    assert edge_score(weight=weight, hops=hops, near=near) == score


def test_only_proven_relationships_are_shown_best_first_and_at_most_twelve() -> None:
    edges = [edge(1, 5), edge(2, 9), edge(3, 5), edge(4, 9, proof=None), edge(5, 9, proof=77)]
    assert [one.relationship for one in choose_relationships(edges, {1})] == [2, 1, 3]
    assert len(choose_relationships([edge(number, 1) for number in range(30)], {1})) == 12


def test_persona_chunks_are_published_not_taken_and_at_most_three() -> None:
    hits = [PersonaHit(chunk, mentions) for chunk, mentions in [(1, 2), (2, 9), (3, 2), (4, 1), (5, 9), (6, 9)]]
    assert [hit.chunk for hit in choose_persona_chunks(hits, {1, 3, 4, 5, 6}, {6})] == [5, 1, 3]
