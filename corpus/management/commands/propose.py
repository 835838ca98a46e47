"""`manage.py propose`: look the library through for concepts and relationships to propose to the editors."""

from typing import Any

from django.core.management.base import BaseCommand

from corpus.graph.proposing import proposals_compute


class Command(BaseCommand):
    """Does at once what otherwise follows every reading-in."""

    help = (
        "Bring the proposals for the knowledge graph up to date. Nothing proposed is used before an editor accepts it."
    )

    def handle(self, **_options: Any) -> None:
        """Compute and say how many there are."""
        concepts, relationships = proposals_compute()
        self.stdout.write(f"{concepts} concepts and {relationships} relationships are proposed.")
