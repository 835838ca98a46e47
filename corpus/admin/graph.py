"""Curating the knowledge graph: concepts, how they relate, and who cares about them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from simple_history.admin import SimpleHistoryAdmin

from corpus.admin.filters import ProofFilter, RelatedFilter
from corpus.admin.merging import MergeAction
from corpus.admin.picture import ConceptPicture, PersonaPicture
from corpus.graph import curation
from corpus.graph.linking import names_of
from corpus.models import Alias, Concept, Mention, Persona, Relationship, RelationshipKind


class ConceptForm(forms.ModelForm):  # type: ignore[type-arg]
    """A concept under a name that no other concept has."""

    class Meta:
        model = Concept
        fields = ("name", "summary")

    def clean_name(self) -> str:
        """The name with single blanks."""
        return _free_name(self.cleaned_data["name"], self.instance.pk)


class AliasForm(forms.ModelForm):  # type: ignore[type-arg]
    """Another name that no other concept has."""

    class Meta:
        model = Alias
        fields = ("name",)

    def clean_name(self) -> str:
        """The name with single blanks."""
        return _free_name(self.cleaned_data["name"], self.instance.concept_id)


def _free_name(name: str, concept: int | None) -> str:
    plain = " ".join(name.split())
    owner = curation.name_owner(plain, besides=concept)
    if owner is not None:
        raise forms.ValidationError(f"“{plain}” is a name of the concept “{owner}” already. Merge the two instead?")
    return plain


def _count_of(model: type[Model], field: str) -> Coalesce:
    """How many rows point at a concept; joined instead, three counts would multiply one another."""
    rows = model._default_manager.filter(**{field: OuterRef("pk")}).order_by().values(field)
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n")), 0)


class AliasInline(admin.TabularInline):  # type: ignore[type-arg]
    """A concept's other names."""

    model = Alias
    form = AliasForm
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
class ConceptAdmin(MergeAction, ConceptPicture, SimpleHistoryAdmin):  # type: ignore[misc]
    """A concept with its names; where it is mentioned is found anew when they change."""

    form = ConceptForm
    list_display = ("name", "alias_names", "mention_count", "relationship_count", "summary")
    list_filter = (RelatedFilter, "personas")
    search_fields = ("name", "aliases__name", "summary")
    readonly_fields = ("mentioned",)
    inlines = (AliasInline, OutgoingInline, IncomingInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Concept]:
        """With what the list shows of each."""
        found: QuerySet[Concept] = super().get_queryset(request)
        return found.prefetch_related("aliases").annotate(
            mention_total=_count_of(Mention, "concept"),
            outgoing_total=_count_of(Relationship, "source"),
            incoming_total=_count_of(Relationship, "target"),
        )

    def get_fields(self, request: HttpRequest, obj: Concept | None = None) -> list[str]:
        """A new concept has no mentions yet."""
        fields = list(super().get_fields(request, obj))
        return fields if obj else [name for name in fields if name not in self.readonly_fields]

    @admin.display(description="also called")
    def alias_names(self, concept: Concept) -> str:
        """Its other names in one line."""
        return ", ".join(sorted(alias.name for alias in concept.aliases.all()))

    @admin.display(description="chunks", ordering="mention_total")
    def mention_count(self, concept: Concept) -> int:
        """In how many chunks it is named."""
        return int(getattr(concept, "mention_total", 0))

    @admin.display(description="relationships")
    def relationship_count(self, concept: Concept) -> int:
        """How many it has, in both directions."""
        return int(getattr(concept, "outgoing_total", 0)) + int(getattr(concept, "incoming_total", 0))

    @admin.display(description="mentioned in")
    def mentioned(self, concept: Concept) -> str:
        """The way to the chunks that name it."""
        address = reverse("admin:corpus_chunk_changelist")
        count = self.mention_count(concept)
        return format_html('<a href="{}?mentions__concept__id__exact={}">{} chunks</a>', address, concept.pk, count)

    def save_model(self, request: HttpRequest, obj: Concept, form: Any, change: bool) -> None:
        """Remember the names as they were."""
        obj._names_before = names_of([Concept.objects.get(pk=obj.pk)]) if change else []  # type: ignore[attr-defined]
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Names stand only after the aliases are stored."""
        super().save_related(request, form, formsets, change)
        curation.concept_names_changed(form.instance, before=form.instance._names_before)

    def delete_model(self, request: HttpRequest, obj: Concept) -> None:
        """Through the service: where a longer name hid a shorter one, that is found again."""
        curation.concepts_delete([obj], by=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Concept]) -> None:
        """Each like a single one."""
        curation.concepts_delete(queryset, by=request.user)


@admin.register(RelationshipKind)
class RelationshipKindAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """How two concepts can relate: a short list that editors word."""

    list_display = ("label", "slug", "used")
    search_fields = ("label", "slug")
    prepopulated_fields = {"slug": ("label",)}

    def get_queryset(self, request: HttpRequest) -> QuerySet[RelationshipKind]:
        """With how often each is used."""
        found: QuerySet[RelationshipKind] = super().get_queryset(request)
        return found.annotate(total=Count("relationships"))

    def get_readonly_fields(self, request: HttpRequest, obj: RelationshipKind | None = None) -> tuple[str, ...]:  # noqa: ARG002
        """The slug is the key that relationships hold."""
        return ("slug",) if obj else ()

    def get_prepopulated_fields(self, request: HttpRequest, obj: RelationshipKind | None = None) -> dict[str, Any]:
        """Only while the slug can be written."""
        return {} if obj else dict(super().get_prepopulated_fields(request, obj))

    @admin.display(description="relationships", ordering="total")
    def used(self, kind: RelationshipKind) -> int:
        """How many relationships are of this kind; one that is used cannot be deleted."""
        return int(getattr(kind, "total", 0))


@admin.register(Relationship)
class RelationshipAdmin(SimpleHistoryAdmin):  # type: ignore[misc]
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
class PersonaAdmin(PersonaPicture, SimpleHistoryAdmin):  # type: ignore[misc]
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
