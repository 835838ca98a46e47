"""What the library proposes for the graph: looked at from the strongest, accepted, edited, rejected, singly or many."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html

from corpus.errors import InvalidGraph
from corpus.graph import curation
from corpus.models import ConceptProposal, RelationshipProposal
from corpus.models.proposals import Proposal


class StateFilter(admin.SimpleListFilter):
    """By what was decided; the open ones unless asked otherwise."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 (of the protocol)
        """Every state and all."""
        return [*((state.value, str(state.label)) for state in Proposal.State), ("all", "All")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:  # noqa: ARG002 (of the protocol)
        """Those of the chosen state."""
        wanted = self.value() or Proposal.State.OPEN
        return queryset if wanted == "all" else queryset.filter(state=wanted)

    def choices(self, changelist: Any) -> Any:
        """Without the usual "All", which here is none by default."""
        for value, label in self.lookup_choices:
            chosen = (self.value() or Proposal.State.OPEN.value) == value
            query = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": chosen, "query_string": query, "display": label}


class ProposalAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What both kinds of proposals share."""

    change_form_template = "corpus/proposal_change_form.html"
    actions = ("accept_selected", "reject_selected", "reopen_selected")
    list_filter = (StateFilter,)
    readonly_fields: ClassVar[tuple[str, ...]] = (
        "state",
        "sentence",
        "source",
        "times",
        "documents",
        "decided_by",
        "decided_at",
    )
    show_full_result_count = False
    accept: Callable[..., Any]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 (of the protocol)
        """Proposals are computed."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 (of the protocol)
        """They are rejected, so that they do not come back."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What is decided is only looked at."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.state == Proposal.State.OPEN)

    @admin.display(description="suggested by")
    def source(self, proposal: Any) -> str:
        """The chunk of the sentence, to be opened."""
        if proposal.chunk is None:
            return "a text that is gone"
        address = reverse("admin:corpus_chunk_change", args=[proposal.chunk_id])
        return format_html('<a href="{}">{}</a>', address, proposal.chunk.document.title)

    @admin.action(description="Accept selected", permissions=["change"])
    def accept_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """As they stand in the list."""
        self._each(request, queryset, type(self).accept, "accepted")

    @admin.action(description="Reject selected", permissions=["change"])
    def reject_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """They are not proposed again."""
        self._each(request, queryset, curation.proposal_reject, "rejected")

    @admin.action(description="Take back the rejection of selected", permissions=["change"])
    def reopen_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Propose them again."""
        for proposal in queryset:
            curation.proposal_reopen(proposal=proposal)
        messages.success(request, "Open again, as far as they had been rejected.")

    def response_change(self, request: HttpRequest, obj: Any) -> Any:
        """Accept or reject what the form shows, where one of these buttons was pressed."""
        act = {"_accept": type(self).accept, "_reject": curation.proposal_reject}
        pressed = next((name for name in act if name in request.POST), None)
        if pressed is None:
            return super().response_change(request, obj)
        try:
            made = act[pressed](proposal=obj, by=request.user)
        except InvalidGraph as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(request.path)
        messages.success(
            request, f"Accepted: {made}." if made is not None else "Rejected; it will not be proposed again."
        )
        return HttpResponseRedirect(reverse(f"admin:corpus_{self.opts.model_name}_changelist"))

    def _each(self, request: HttpRequest, queryset: QuerySet[Any], act: Callable[..., Any], done: str) -> None:
        count, problems = curation.proposals_each(queryset, act, by=request.user)
        if count:
            messages.success(request, f"{count} {done}.")
        for problem in problems:
            messages.error(request, problem)


@admin.register(ConceptProposal)
class ConceptProposalAdmin(ProposalAdmin):
    """Names that may be worth a concept."""

    list_display = ("original", "name", "times", "documents", "sentence", "source")
    list_editable = ("name",)
    list_select_related = ("chunk__document",)
    search_fields = ("name", "sentence")
    fields = ("name", "summary", *ProposalAdmin.readonly_fields)
    accept = staticmethod(curation.concept_proposal_accept)

    @admin.display(description="as written")
    def original(self, proposal: ConceptProposal) -> str:
        """What makes it the same name: the way to its page."""
        return proposal.key


@admin.register(RelationshipProposal)
class RelationshipProposalAdmin(ProposalAdmin):
    """Concepts that stand together in sentences and may be related."""

    list_display = ("pair", "kind", "reverse", "weight", "times", "documents", "sentence", "source")
    list_editable = ("kind", "reverse", "weight")
    list_select_related = ("one", "other", "kind", "chunk__document")
    search_fields = ("one__name", "other__name", "sentence")
    fields = ("pair", "kind", "reverse", "weight", *ProposalAdmin.readonly_fields)
    readonly_fields: ClassVar[tuple[str, ...]] = ("pair", *ProposalAdmin.readonly_fields)
    accept = staticmethod(curation.relationship_proposal_accept)

    @admin.display(description="concepts")
    def pair(self, proposal: RelationshipProposal) -> str:
        """Both, in the order in which the relationship would run."""
        ends = (proposal.other, proposal.one) if proposal.reverse else (proposal.one, proposal.other)
        return f"{ends[0]} → {ends[1]}"
