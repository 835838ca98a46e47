"""`manage.py rebuild_graph`: the graph written to Neo4j anew, out of the record."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import wiring
from corpus.errors import GraphUnavailable
from corpus.graph.rebuilding import graph_rebuild


class Command(BaseCommand):
    """Build a new generation and switch to it; the old one answers until then."""

    help = "Writes the knowledge graph to Neo4j anew, while questions are answered from what is there."

    def handle(self, **_: Any) -> None:
        """Build it and say how much it was."""
        opened = wiring.graph_writer()
        if opened is None:
            raise CommandError("There is no Neo4j: NEO4J_URI is not set, and `up` was not started with --with neo4j.")
        try:
            with opened as writer:
                written = graph_rebuild(writer, say=self.stdout.write)
        except GraphUnavailable as error:
            raise CommandError(f"Neo4j does not answer: {error.__cause__ or error}") from error
        if written is None:
            raise CommandError("Another process is rebuilding the graph at the moment.")
        self.stdout.write("The new generation answers from now on.")
