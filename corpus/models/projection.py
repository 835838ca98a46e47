"""How far the graph store has followed the record: what has changed since, which generations there are, how it is.

Changes are written by triggers of the database, in the transaction that makes them, so that no way of writing can
forget them. A row says only what has changed, never how: whoever projects it reads the present state.
"""

import secrets

from django.db import models


def generation_number() -> int:
    """A number that no other generation has, of this installation or of another in the same graph store."""
    return secrets.randbits(52)


class GraphChange(models.Model):
    """Something of the record that the graph store does not know yet."""

    class Kind(models.TextChoices):
        """What has changed; a document stands for all its chunks. In the order in which one needs the other."""

        CONCEPT = "concept"
        RELATIONSHIP = "relationship"
        PERSONA = "persona"
        CHUNK = "chunk"
        DOCUMENT = "document"

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=36, help_text="The id of the row, as text.")

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class GraphGeneration(models.Model):
    """One complete copy of the graph in the graph store; its number is part of every node's key."""

    class State(models.TextChoices):
        """A generation being built and the current one are both written to; a retired one waits to be removed."""

        BUILDING = "building"
        CURRENT = "current"
        RETIRED = "retired"

    number = models.BigIntegerField(primary_key=True, default=generation_number)
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    begun_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True, help_text="When it became current or was retired.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="current"), name="graph_generation_current_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} ({self.state})"


class GraphStanding(models.Model):
    """One row: the version of the last projection, and how the graph store was when it was last looked at."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    version = models.BigIntegerField(default=0)
    pinged_at = models.DateTimeField(null=True, blank=True)
    ping_milliseconds = models.FloatField(null=True, blank=True)
    ping_error = models.CharField(max_length=200, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    check_report = models.JSONField(default=dict, blank=True)
    """By kind: how many the record and the graph store had, how many differed, how many were repaired."""

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="graph_standing_single")]

    def __str__(self) -> str:
        return f"version {self.version}"
