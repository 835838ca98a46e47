"""What editors work with."""

from corpus.admin.chunks import ChunkAdmin
from corpus.admin.documents import DocumentAdmin
from corpus.admin.graph import ConceptAdmin, PersonaAdmin, RelationshipAdmin, RelationshipKindAdmin
from corpus.admin.proposals import ConceptProposalAdmin, RelationshipProposalAdmin
from corpus.admin.reading import IngestionInline
from corpus.admin.spaces import EmbeddingSpaceAdmin

__all__ = [
    "ChunkAdmin",
    "ConceptAdmin",
    "ConceptProposalAdmin",
    "DocumentAdmin",
    "EmbeddingSpaceAdmin",
    "IngestionInline",
    "PersonaAdmin",
    "RelationshipAdmin",
    "RelationshipKindAdmin",
    "RelationshipProposalAdmin",
]
