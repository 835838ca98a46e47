"""What the community knows, as stored."""

from corpus.models.builds import SpaceBuild
from corpus.models.documents import Chunk, Document, Ingestion, StagedChunk, StagedVector
from corpus.models.graph import Alias, Concept, Mention, Persona, Relationship, RelationshipKind
from corpus.models.graph_work import GraphWork
from corpus.models.postings import CorpusStatistics, LexemeStatistics, Posting
from corpus.models.projection import GraphChange, GraphGeneration, GraphStanding
from corpus.models.proposals import ConceptProposal, RelationshipProposal
from corpus.models.spaces import EmbeddingSpace

__all__ = [
    "Alias",
    "Chunk",
    "Concept",
    "ConceptProposal",
    "CorpusStatistics",
    "Document",
    "EmbeddingSpace",
    "GraphChange",
    "GraphGeneration",
    "GraphStanding",
    "GraphWork",
    "Ingestion",
    "LexemeStatistics",
    "Mention",
    "Persona",
    "Posting",
    "Relationship",
    "RelationshipKind",
    "RelationshipProposal",
    "SpaceBuild",
    "StagedChunk",
    "StagedVector",
]
