"""What the library itself suggests for the graph. Nothing here is used anywhere before an editor accepts it."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from corpus.models.documents import Chunk
from corpus.models.graph import Concept, RelationshipKind


class Proposal(models.Model):
    """What every proposal has: the sentence that suggests it, how often, and what an editor said to it."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        ACCEPTED = "accepted", _("Accepted")
        REJECTED = "rejected", _("Rejected")

    id = models.BigAutoField(primary_key=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN, editable=False)
    sentence = models.TextField(help_text=_("The sentence that suggests it."))
    chunk = models.ForeignKey(Chunk, null=True, on_delete=models.SET_NULL, related_name="+", editable=False)
    times = models.PositiveIntegerField(default=1, editable=False, help_text=_("Sentences that suggest it."))
    documents = models.PositiveIntegerField(default=1, editable=False, help_text=_("Documents they stand in."))
    strength = models.FloatField(
        default=0.0, editable=False, help_text=_("The higher, the more likely it is worth it.")
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    decided_at = models.DateTimeField(null=True, editable=False)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    class Meta:
        abstract = True
        ordering = ("-strength", "id")


class ConceptProposal(Proposal):
    """A name that the library uses much, and beside known concepts."""

    key = models.CharField(max_length=200, unique=True, editable=False, help_text=_("What makes it the same name."))
    name = models.CharField(max_length=120)
    summary = models.TextField(blank=True)
    concept = models.ForeignKey(
        Concept, null=True, on_delete=models.SET_NULL, related_name="+", editable=False, help_text=_("What it became.")
    )

    class Meta(Proposal.Meta):
        indexes = [models.Index(fields=["state", "-strength"], name="concept_proposal_order")]

    def __str__(self) -> str:
        return self.name


class RelationshipProposal(Proposal):
    """Two concepts that the library names in one sentence, and that are not related yet. `one` has the lower id."""

    one = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="+", editable=False)
    other = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="+", editable=False)
    kind = models.ForeignKey(
        RelationshipKind, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text=_("How.")
    )
    weight = models.PositiveSmallIntegerField(default=5, help_text=_("1 (faint) to 10 (strong)."))
    reverse = models.BooleanField(default=False, help_text=_("It runs from the second concept to the first."))

    class Meta(Proposal.Meta):
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="relationship_proposed_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="relationship_proposed_ordered"),
            models.CheckConstraint(
                condition=models.Q(weight__gte=1, weight__lte=10), name="relationship_proposed_weight_range"
            ),
        ]
        indexes = [models.Index(fields=["state", "-strength"], name="relation_proposal_order")]

    def __str__(self) -> str:
        return f"{self.one} - {self.other}"
