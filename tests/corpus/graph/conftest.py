"""A real Neo4j, and a record to be carried into it."""

from collections.abc import Iterator

import pytest

from corpus.graph.address import GraphAddress
from corpus.graph.neo4j_writer import Neo4jWriter, neo4j_writer
from corpus.models import GraphGeneration
from tests.neo4j_server import neo4j_needed


@pytest.fixture(scope="session")
def neo4j() -> GraphAddress:
    """A Neo4j that answers; without one the test is skipped, or fails where that is wanted."""
    return neo4j_needed()


@pytest.fixture
def writer(db: None, neo4j: GraphAddress) -> Iterator[Neo4jWriter]:
    """Writes to the Neo4j; what the test's generations hold is removed."""
    with neo4j_writer(neo4j) as writer:
        yield writer
        for generation in GraphGeneration.objects.all():
            writer.remove(generation.pk)
