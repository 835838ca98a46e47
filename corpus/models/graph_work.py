"""What a worker has still to do for the graph: find mentions of changed names anew, compute proposals."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class GraphWork(models.Model):
    """One piece of work over all chunks, done in batches; what is done is stored with each, so that it can go on."""

    class Kind(models.TextChoices):
        LINKING = "linking", "Linking mentions"
        PROPOSALS = "proposals", "Looking for proposals"

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    names = ArrayField(models.TextField(), default=list, help_text="Names that came, went or changed hands.")
    after = models.BigIntegerField(default=0, help_text="The last chunk that was looked at.")
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            # What waits takes in what comes later; what runs has read its names already.
            models.UniqueConstraint(
                fields=["kind"],
                condition=models.Q(started_at__isnull=True),
                name="graph_work_waits_once_a_kind",
            )
        ]
        indexes = [models.Index(fields=["finished_at"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.done} of {self.total}"
