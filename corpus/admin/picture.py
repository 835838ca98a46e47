"""The picture of the graph on the pages of concepts and personas, and the data it walks on with."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import path, reverse

from corpus.graph.neighbourhood import Neighbourhood, concept_neighbourhood, persona_neighbourhood
from corpus.graph.work import work_open
from corpus.models import Concept, Persona, Relationship

NO_PROOF = "no proof: not shown to members"


class Picture:
    """Mixed into an admin class: its change page shows a graph that the view `neighbours` feeds."""

    change_form_template = "corpus/graph_change_form.html"
    opts: Any
    admin_site: Any

    def get_urls(self) -> list[Any]:
        """The address of the data before all others."""
        view = self.admin_site.admin_view(self.neighbours_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_neighbours"
        return [path("<path:object_id>/neighbours/", view, name=name), *super().get_urls()]  # type: ignore[misc]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With the address of the picture's data."""
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_neighbours", args=[object_id])
        context = {**(extra_context or {}), "neighbours_url": address, "graph_work": self.work()}
        response: HttpResponse = super().change_view(request, object_id, form_url, context)  # type: ignore[misc]
        return response

    def work(self) -> list[Any]:
        """What a worker is still doing for the graph."""
        return work_open()

    def neighbours_view(self, request: HttpRequest, object_id: str) -> JsonResponse:
        """The neighbours of one row, a page of them from `after` on. Raises Http404, PermissionDenied."""
        found = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if not self.has_view_permission(request, found):  # type: ignore[attr-defined]
            raise PermissionDenied
        if found is None:
            raise Http404
        after = request.GET.get("after", "0")
        return JsonResponse(self.body(found, int(after) if after.isdecimal() and len(after) < 7 else 0))

    def body(self, found: Any, after: int) -> dict[str, Any]:
        """The neighbourhood as JSON."""
        raise NotImplementedError


class ConceptPicture(Picture):
    """On a concept's page."""

    def body(self, found: Concept, after: int) -> dict[str, Any]:
        """The concept, its neighbours and their relationships."""
        near = concept_neighbourhood(found, after=after)
        return _body(_concept(found), near, [_relationship(one) for one in near.relationships])


class PersonaPicture(Picture):
    """On a persona's page."""

    def body(self, found: Persona, after: int) -> dict[str, Any]:
        """The persona, the concepts it cares about and their relationships."""
        near = persona_neighbourhood(found, after=after)
        address = reverse("admin:corpus_persona_change", args=[found.pk])
        centre = {"id": f"p{found.pk}", "name": found.name, "url": address, "near": "", "persona": True}
        cares = [_care(centre, concept) for concept in near.neighbours]
        return _body(centre, near, [*cares, *(_relationship(one) for one in near.relationships)])


def _body(centre: dict[str, Any], near: Neighbourhood, edges: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "centre": centre,
        "nodes": [_concept(concept) for concept in near.neighbours],
        "edges": edges,
        "total": near.total,
        "shown": near.shown,
    }


def _concept(concept: Concept) -> dict[str, Any]:
    return {
        "id": f"c{concept.pk}",
        "name": concept.name,
        "url": reverse("admin:corpus_concept_change", args=[concept.pk]),
        "near": reverse("admin:corpus_concept_neighbours", args=[concept.pk]),
        "persona": False,
    }


def _relationship(one: Relationship) -> dict[str, Any]:
    proof = one.proof
    return {
        "id": f"r{one.pk}",
        "source": f"c{one.source_id}",
        "target": f"c{one.target_id}",
        "from": one.source.name,
        "label": one.kind.label,
        "to": one.target.name,
        "weight": one.weight,
        # Without a proof the way leads to where one can be given.
        "url": reverse("admin:corpus_chunk_change", args=[proof.pk])
        if proof
        else reverse("admin:corpus_relationship_change", args=[one.pk]),
        "proof": f"{proof.document.title} #{proof.ordinal}" if proof else NO_PROOF,
        "proved": proof is not None,
    }


def _care(centre: dict[str, Any], concept: Concept) -> dict[str, Any]:
    return {
        "id": f"{centre['id']}-c{concept.pk}",
        "source": centre["id"],
        "target": f"c{concept.pk}",
        "from": centre["name"],
        "label": "cares about",
        "to": concept.name,
        "weight": 5,
        "url": reverse("admin:corpus_concept_change", args=[concept.pk]),
        "proof": "set on this page",
        "proved": True,
    }
