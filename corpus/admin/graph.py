"""Curating the knowledge graph: concepts, how they relate, and who cares about them."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from corpus.graph.linking import mentions_relink
from corpus.models import Alias, Concept, Persona, Relationship, RelationshipKind


class AliasInline(admin.TabularInline):  # type: ignore[type-arg]
    """A concept's other names."""

    model = Alias
    extra = 1


@admin.register(Concept)
class ConceptAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A concept with its names; where it is mentioned is found anew when they change."""

    list_display = ("name", "summary")
    search_fields = ("name", "aliases__name", "summary")
    inlines = (AliasInline,)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Names stand only after the aliases are stored."""
        super().save_related(request, form, formsets, change)
        mentions_relink(form.instance)


@admin.register(RelationshipKind)
class RelationshipKindAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """How two concepts can relate."""

    list_display = ("label", "slug")
    search_fields = ("label", "slug")


@admin.register(Relationship)
class RelationshipAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A relation and the chunk that proves it. Without a published proof it is not shown to members."""

    list_display = ("source", "kind", "target", "weight", "proof")
    list_filter = ("kind",)
    list_select_related = ("source", "target", "kind", "proof")
    search_fields = ("source__name", "target__name")
    autocomplete_fields = ("source", "target", "kind")
    raw_id_fields = ("proof",)


@admin.register(Persona)
class PersonaAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A kind of member and the concepts such members care about."""

    list_display = ("name", "description")
    search_fields = ("name", "description")
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("concepts",)
