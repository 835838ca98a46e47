"""Curating the knowledge graph: concepts, how they relate, and who cares about them."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from corpus.admin.filters import ProofFilter, RelatedFilter
from corpus.graph.linking import mentions_relink
from corpus.models import Alias, Concept, Persona, Relationship, RelationshipKind


class AliasInline(admin.TabularInline):  # type: ignore[type-arg]
    """A concept's other names."""

    model = Alias
    extra = 1


class OutgoingInline(admin.TabularInline):  # type: ignore[type-arg]
    """What a concept is to others, each with its proof."""

    model = Relationship
    fk_name = "source"
    extra = 0
    fields = ("kind", "target", "weight", "proof")
    autocomplete_fields = ("kind", "target", "proof")
    verbose_name_plural = "relationships to others"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Relationship]:
        """With what each row names."""
        return super().get_queryset(request).select_related("source", "kind", "target", "proof__document")


class IncomingInline(OutgoingInline):
    """What others are to a concept."""

    fk_name = "target"
    fields = ("source", "kind", "weight", "proof")
    autocomplete_fields = ("kind", "source", "proof")
    verbose_name_plural = "relationships from others"


@admin.register(Concept)
class ConceptAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A concept with its names; where it is mentioned is found anew when they change."""

    list_display = ("name", "summary", "mentioned")
    list_filter = (RelatedFilter, "personas")
    search_fields = ("name", "aliases__name", "summary")
    inlines = (AliasInline, OutgoingInline, IncomingInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Concept]:
        """With how many chunks name it."""
        found: QuerySet[Concept] = super().get_queryset(request)
        return found.annotate(mention_total=Count("mentions", distinct=True))

    @admin.display(description="chunks that name it", ordering="mention_total")
    def mentioned(self, concept: Concept) -> int:
        """How many."""
        return int(getattr(concept, "mention_total", 0))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Names stand only after the aliases are stored."""
        super().save_related(request, form, formsets, change)
        mentions_relink(form.instance)


@admin.register(RelationshipKind)
class RelationshipKindAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """How two concepts can relate."""

    list_display = ("label", "slug")
    search_fields = ("label", "slug")

    def get_readonly_fields(self, request: HttpRequest, obj: RelationshipKind | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """The slug of one that is stored is its name for good: another would be a second kind."""
        return ("slug",) if obj else ()


@admin.register(Relationship)
class RelationshipAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A relation and the chunk that proves it. Without a published proof it is not shown to members."""

    list_display = ("source", "kind", "target", "weight", "proof_read")
    list_filter = (ProofFilter, "kind")
    list_select_related = ("source", "target", "kind", "proof__document")
    search_fields = ("source__name", "target__name", "source__aliases__name", "target__aliases__name")
    autocomplete_fields = ("source", "target", "kind", "proof")

    @admin.display(description="proof")
    def proof_read(self, relationship: Relationship) -> str:
        """The way to the chunk in its document."""
        if (chunk := relationship.proof) is None:
            return "none: not shown to members"
        address = reverse("admin:corpus_document_chunks", args=[chunk.document_id])
        return format_html('<a href="{}?chunk={}">{}</a>', address, chunk.public_id, chunk)


@admin.register(Persona)
class PersonaAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A kind of member and the concepts such members care about."""

    list_display = ("name", "description", "concept_names")
    list_filter = ("concepts",)
    search_fields = ("name", "description", "concepts__name")
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("concepts",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Persona]:
        """With their concepts."""
        found: QuerySet[Persona] = super().get_queryset(request).prefetch_related("concepts")
        return found

    @admin.display(description="concepts")
    def concept_names(self, persona: Persona) -> str:
        """What such members care about."""
        return ", ".join(concept.name for concept in persona.concepts.all()) or "-"
