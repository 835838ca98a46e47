"""The graph look-up: relationships near the question's concepts, and what speaks to the member's persona."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from corpus.errors import CorpusError
from corpus.graph.ranking import choose_persona_chunks, choose_relationships
from corpus.graph.store import Edge, Graph, GraphAnswer, PersonaHit
from corpus.naming.index import concepts_named
from corpus.search import PublishedChunk, Relation, Search
from pipeline.phases import result_of
from pipeline.stopwatch import Stopwatch
from pipeline.turn import GraphResult, Intent, MemberContext

GRAPH_SECONDS = 0.7
"""How long the look-up may take, a store that fails and the record in its place included; an answer does without it."""

_NO_EDGES: GraphAnswer[Edge] = GraphAnswer((), "")
_NO_HITS: GraphAnswer[PersonaHit] = GraphAnswer((), "")


@dataclass(frozen=True, slots=True)
class GraphFound:
    """What the store found, before it is known which chunks are published."""

    edges: GraphAnswer[Edge] = _NO_EDGES
    persona_hits: GraphAnswer[PersonaHit] = _NO_HITS
    relations: Mapping[int, Relation] = field(default_factory=dict)
    failed: bool = False
    asked: frozenset[int] = frozenset()
    """The concepts that the question names."""

    @property
    def degraded(self) -> bool:
        """Whether there is no answer, or not the one of the store that should have given it."""
        return self.failed or self.edges.degraded or self.persona_hits.degraded

    @property
    def chunks(self) -> set[int]:
        """Every chunk it speaks of."""
        return {edge.proof for edge in self.edges.items if edge.proof} | {hit.chunk for hit in self.persona_hits.items}


async def look_up_graph(
    *, intent: Intent, member: MemberContext, search: Search, graph: Graph, watch: Stopwatch
) -> GraphFound:
    """What the graph knows about the question's concepts. A graph that fails or is slow is `failed`, never an error."""
    try:
        async with asyncio.timeout(GRAPH_SECONDS):
            text = "\n".join((intent.standalone, *intent.concepts))
            concepts = list(concepts_named(text, await search.concept_names(text)))
            if not concepts:
                return GraphFound()
            async with asyncio.TaskGroup() as group:
                persona = graph.persona_chunks(concepts, member.persona or "")
                edges = group.create_task(watch.time("relationships", graph.edges(concepts)))
                hits = group.create_task(watch.time("persona_chunks", persona))
            relations = await search.relations([edge.relationship for edge in edges.result().items])
            return GraphFound(edges.result(), hits.result(), relations, asked=frozenset(concepts))
    except (CorpusError, TimeoutError):
        return GraphFound(failed=True)
    except ExceptionGroup as errors:
        if errors.split((CorpusError, TimeoutError))[1] is not None:
            raise
        return GraphFound(failed=True)


def graph_results(
    found: GraphFound, published: Mapping[int, PublishedChunk], *, taken: Collection[int]
) -> tuple[GraphResult, ...]:
    """At most 12 relationships, each with its proof, then at most 3 persona chunks that are not sources already."""
    edges = choose_relationships(
        (edge for edge in found.edges.items if edge.relationship in found.relations), published
    )
    proofs = {edge.proof for edge in edges if edge.proof}
    hits = choose_persona_chunks(found.persona_hits.items, published, {*taken, *proofs})
    return (
        *(_relationship(edge, found, published, found.edges.origin) for edge in edges),
        *(
            GraphResult(
                entities=(),
                relationships=(),
                persona_context=(result_of(published[hit.chunk], "persona"),),
                origin=found.persona_hits.origin,
                score=hit.mentions,
            )
            for hit in hits
        ),
    )


def _relationship(edge: Edge, found: GraphFound, published: Mapping[int, PublishedChunk], origin: str) -> GraphResult:
    """One relationship with the chunk that proves it."""
    relation = found.relations[edge.relationship]
    ends = ((edge.source, relation.source), (edge.target, relation.target))
    return GraphResult(
        entities=(relation.source, relation.target),
        relationships=(f"{relation.source} {relation.label} {relation.target}",),
        persona_context=(),
        origin=origin,
        score=edge.score,
        proof=result_of(published[edge.proof], "proof") if edge.proof else None,
        asked=tuple(name for concept, name in ends if concept in found.asked),
    )
