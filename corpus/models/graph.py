"""The knowledge graph's record: concepts, how they relate, who cares about them, and where they are mentioned."""

import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from corpus.naming.index import lookup_keys


class NameKeysField(ArrayField):  # type: ignore[type-arg]
    """The keys a row's `name` is looked up by, made from it whenever the row is saved, in bulk too."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs |= {"base_field": models.TextField(), "default": list, "editable": False, "blank": True}
        super().__init__(**kwargs)

    def pre_save(self, model_instance: models.Model, add: bool) -> list[str]:  # noqa: ARG002 (of the protocol)
        """The keys of the name as it is now."""
        keys = lookup_keys(model_instance.name, first_only=True)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, keys)
        return keys


class Concept(models.Model):
    """An idea of the library, curated by editors."""

    id = models.BigAutoField(primary_key=True)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=120)
    summary = models.TextField(blank=True)
    name_keys = NameKeysField()
    history = HistoricalRecords(excluded_fields=["name_keys"])

    class Meta:
        ordering = ("name",)
        constraints = [models.UniqueConstraint(Lower("name"), name="concept_name_once")]
        indexes = [GinIndex(fields=["name_keys"], name="concept_name_keys")]

    def __str__(self) -> str:
        return self.name


class Alias(models.Model):
    """Another name of a concept."""

    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=120)
    name_keys = NameKeysField()
    history = HistoricalRecords(excluded_fields=["name_keys"])

    class Meta:
        verbose_name_plural = "aliases"
        constraints = [models.UniqueConstraint(Lower("name"), name="alias_name_once")]
        indexes = [GinIndex(fields=["name_keys"], name="alias_name_keys")]

    def __str__(self) -> str:
        return self.name


class RelationshipKind(models.Model):
    """How two concepts can relate, such as "helps against"."""

    slug = models.SlugField(max_length=40, primary_key=True)
    label = models.CharField(max_length=80)

    class Meta:
        ordering = ("label",)

    def __str__(self) -> str:
        return self.label


class Relationship(models.Model):
    """One proven relation between two concepts. Without a published proof it is not shown."""

    id = models.BigAutoField(primary_key=True)
    source = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="outgoing")
    target = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="incoming")
    kind = models.ForeignKey(RelationshipKind, on_delete=models.PROTECT, related_name="relationships")
    weight = models.PositiveSmallIntegerField(default=5, help_text=_("1 (faint) to 10 (strong)."))
    proof = models.ForeignKey("corpus.Chunk", null=True, blank=True, on_delete=models.SET_NULL, related_name="proves")
    history = HistoricalRecords()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "target", "kind"], name="relationship_once"),
            models.CheckConstraint(condition=~models.Q(source=models.F("target")), name="relationship_between_two"),
            models.CheckConstraint(condition=models.Q(weight__gte=1, weight__lte=10), name="relationship_weight_range"),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.kind} {self.target}"


class Persona(models.Model):
    """A kind of member, with the concepts such members care about."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    concepts = models.ManyToManyField(Concept, blank=True, related_name="personas")
    history = HistoricalRecords(m2m_fields=[concepts])

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Mention(models.Model):
    """A chunk that names a concept, and how often."""

    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="mentions")
    chunk = models.ForeignKey("corpus.Chunk", on_delete=models.CASCADE, related_name="mentions")
    count = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["concept", "chunk"], name="mention_once")]
        indexes = [models.Index(fields=["chunk"])]

    def __str__(self) -> str:
        return f"{self.concept_id} in {self.chunk_id}"
