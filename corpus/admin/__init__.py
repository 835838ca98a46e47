"""What editors work with."""

from corpus.admin.documents import DocumentAdmin
from corpus.admin.graph import ConceptAdmin, PersonaAdmin, RelationshipAdmin, RelationshipKindAdmin
from corpus.admin.proposals import ConceptProposalAdmin, RelationshipProposalAdmin
from corpus.admin.reading import ChunkAdmin, IngestionInline

__all__ = [
    "ChunkAdmin",
    "ConceptAdmin",
    "ConceptProposalAdmin",
    "DocumentAdmin",
    "IngestionInline",
    "PersonaAdmin",
    "RelationshipAdmin",
    "RelationshipKindAdmin",
    "RelationshipProposalAdmin",
]
