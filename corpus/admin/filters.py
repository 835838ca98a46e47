"""What the admin's lists can be narrowed to beside plain fields."""

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from corpus.models import Concept, Document, Ingestion, Relationship


class ReadingFilter(SimpleListFilter):
    """Documents by the state of their latest file."""

    title = "last file"
    parameter_name = "reading"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Document]") -> list[tuple[str, str]]:  # noqa: ARG002
        """What an editor looks for."""
        return [
            ("working", "Being read in"),
            ("ready", "Waits to be published"),
            ("failed", "Failed"),
            ("none", "None"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> QuerySet[Document]:  # noqa: ARG002
        """Those whose latest file stands so."""
        latest = Ingestion.objects.filter(document=OuterRef("pk")).order_by("-created_at", "id").values("state")[:1]
        with_state = queryset.annotate(latest_state=Subquery(latest))
        match self.value():
            case "working":
                return with_state.filter(latest_state__in=Ingestion.WORKING_STATES)
            case "ready" | "failed" as state:
                return with_state.filter(latest_state=state)
            case "none":
                return with_state.filter(latest_state=None)
        return queryset


class ProofFilter(SimpleListFilter):
    """Relationships by whether members can see them."""

    title = "proof"
    parameter_name = "proof"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Relationship]") -> list[tuple[str, str]]:  # noqa: ARG002
        """Shown to members only with a proof that is published."""
        return [("published", "Published"), ("unpublished", "Not published"), ("none", "None")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Relationship]) -> QuerySet[Relationship]:  # noqa: ARG002
        """Those with such a proof."""
        published = {"proof__document__status": Document.Status.PUBLISHED}
        match self.value():
            case "published":
                return queryset.filter(**published)
            case "unpublished":
                return queryset.filter(proof__isnull=False).exclude(**published)
            case "none":
                return queryset.filter(proof=None)
        return queryset


class RelatedFilter(SimpleListFilter):
    """Concepts by whether they are related to any other."""

    title = "relationships"
    parameter_name = "related"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Concept]") -> list[tuple[str, str]]:  # noqa: ARG002
        """Two kinds."""
        return [("yes", "Some"), ("no", "None")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Concept]) -> QuerySet[Concept]:  # noqa: ARG002
        """Those with, or without."""
        touching = Exists(Relationship.objects.filter(source=OuterRef("pk"))) | Exists(
            Relationship.objects.filter(target=OuterRef("pk"))
        )
        match self.value():
            case "yes":
                return queryset.filter(touching)
            case "no":
                return queryset.exclude(touching)
        return queryset
