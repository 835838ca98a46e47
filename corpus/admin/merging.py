"""Merging concepts: an action of their list that shows what would happen before it does it."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from corpus.errors import InvalidGraph
from corpus.graph.merging import concepts_merge, merge_plan
from corpus.models import Concept

MAX_MERGED = 20
"""Concepts merged at once: a page an editor can still read."""


class MergeAction:
    """Mixed into the admin of concepts."""

    actions = ("merge_selected",)

    @admin.action(description="Merge selected concepts into one", permissions=["delete"])
    def merge_selected(self, request: HttpRequest, queryset: QuerySet[Concept]) -> Any:
        """Ask which one to keep, show what would happen, and do it once confirmed."""
        if not self.has_change_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        # A fresh query: the list's own is joined and counted for display.
        chosen = list(Concept.objects.filter(pk__in=queryset.values("pk")).order_by("name"))
        if not 1 < len(chosen) <= MAX_MERGED:
            messages.error(request, f"Choose two to {MAX_MERGED} concepts to merge.")
            return None
        wanted = request.POST.get("kept", "")
        kept = next((concept for concept in chosen if str(concept.pk) == wanted), None)
        try:
            if kept is not None and "confirmed" in request.POST:
                return self._merge(request, kept, chosen)
            plan = merge_plan(kept=kept or _most_used(chosen), merged=chosen)
        except InvalidGraph as error:
            messages.error(request, str(error))
            return None
        context = {
            **admin.site.each_context(request),
            "title": "Merge concepts",
            "opts": Concept._meta,
            "chosen": chosen,
            "plan": plan,
            "media": self.media,  # type: ignore[attr-defined]
        }
        return TemplateResponse(request, "corpus/concept_merge.html", context)

    def _merge(self, request: HttpRequest, kept: Concept, chosen: list[Concept]) -> HttpResponseRedirect:
        plan = concepts_merge(kept=kept, merged=chosen, by=request.user)
        names = ", ".join(f"“{concept}”" for concept in plan.merged)
        messages.success(request, f"{names} became one with “{plan.kept}”. Mentions are being counted anew.")
        return HttpResponseRedirect(reverse("admin:corpus_concept_change", args=[plan.kept.pk]))


def _most_used(concepts: list[Concept]) -> Concept:
    return max(concepts, key=lambda concept: (concept.mentions.count(), -concept.pk))
