"""Embedding spaces: a model, a dimension and a recipe, with a table of vectors each."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

MAX_DIMENSION = 2_000
"""The most dimensions an HNSW index of pgvector takes for the `vector` type (pgvector README, "HNSW")."""


class EmbeddingSpace(models.Model):
    """One way of turning text into vectors. The active space alone decides which embedder answers a query."""

    class State(models.TextChoices):
        BUILDING = "building", _("Building")
        ACTIVE = "active", _("Active")
        RETIRED = "retired", _("Retired")

    name = models.SlugField(max_length=60, unique=True)
    provider = models.CharField(max_length=20, help_text=_("Which adapter embeds for it: local or openai."))
    model = models.CharField(max_length=100)
    dimension = models.PositiveSmallIntegerField()
    recipe = models.PositiveSmallIntegerField(default=1, help_text=_("Version of what text is embedded for a chunk."))
    state = models.CharField(max_length=10, choices=State.choices, default=State.BUILDING)
    floor = models.FloatField(
        null=True, blank=True, help_text=_("Similarity under which a chunk is not about the question.")
    )
    coverage = models.FloatField(
        null=True, blank=True, help_text=_("Best similarity under which the answerer should doubt.")
    )
    floor_chunks = models.PositiveIntegerField(default=0, help_text=_("Published chunks when the floor was computed."))
    floor_changes = models.PositiveIntegerField(default=0, help_text=_("Published chunks changed since then."))
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["state"], condition=models.Q(state="active"), name="one_active_space"),
            models.CheckConstraint(
                condition=models.Q(dimension__gte=1, dimension__lte=MAX_DIMENSION), name="space_dimension_indexable"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def table(self) -> str:
        """The name of its table of vectors."""
        return f"corpus_space_{self.pk}"
