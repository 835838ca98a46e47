"""Embedding spaces: built beside each other, one of them answers."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from corpus import reembedding, wiring
from corpus.errors import CorpusError, InvalidSpace
from corpus.models import EmbeddingSpace

PROVIDERS = (("local", "the model that ships with the product"), ("openai", "OpenAI"))


class SpaceForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a new space is to be."""

    provider = forms.ChoiceField(choices=PROVIDERS)

    class Meta:
        model = EmbeddingSpace
        fields = ("name", "provider", "model", "dimension")

    def clean(self) -> dict[str, Any]:
        """Only what can be embedded for here, with the dimension that its vectors have."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            embedder = wiring.embedder_for(EmbeddingSpace(**cleaned))
        except CorpusError as error:
            raise forms.ValidationError(str(error)) from error
        if embedder.dimension != cleaned["dimension"]:
            self.add_error("dimension", f"Vectors of this model have {embedder.dimension} dimensions.")
        return cleaned


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Spaces with how far they are built; a new one is built by a worker as soon as it is saved."""

    form = SpaceForm
    list_display = ("name", "state", "provider", "model", "dimension", "progress")
    list_select_related = ("build",)
    actions = ("build_selected", "pause_selected", "switch_to_selected", "drop_selected")

    @admin.display(description="built")
    def progress(self, space: EmbeddingSpace) -> str:
        """How far its build is, and what it waits for."""
        build = getattr(space, "build", None)
        if build is None:
            return "-"
        words = f"{build.get_state_display()}, {build.done} of {build.total}"
        return f"{words}. {build.reason}" if build.reason else words

    def has_change_permission(self, request: HttpRequest, obj: EmbeddingSpace | None = None) -> bool:
        """A space is what it was made as; only actions change its state."""
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: EmbeddingSpace | None = None) -> bool:  # noqa: ARG002
        """By an action of its own, which drops the table too."""
        return False

    def save_model(self, request: HttpRequest, obj: EmbeddingSpace, form: Any, change: bool) -> None:  # noqa: ARG002
        """Through the service."""
        obj.pk = reembedding.space_begin(**form.cleaned_data).space_id
        obj._state.adding = False

    @admin.action(description="Build, or go on building", permissions=["change"])
    def build_selected(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        """Give every chunk a vector in them."""
        self._each(request, queryset, lambda space: reembedding.space_build(space=space), "being built")

    @admin.action(description="Pause the build", permissions=["change"])
    def pause_selected(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        """What is done stays."""
        self._each(request, queryset, lambda space: reembedding.space_pause(space=space), "paused")

    @admin.action(description="Let it answer questions, once complete", permissions=["change"])
    def switch_to_selected(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        """Make one space the active one; the one before stays, for the way back."""
        if queryset.count() != 1:
            messages.error(request, "Choose one space: only one can answer questions.")
            return
        self._each(request, queryset, self._switch, "chosen to answer questions")

    @admin.action(description="Drop with all its vectors", permissions=["change"])
    def drop_selected(self, request: HttpRequest, queryset: QuerySet[EmbeddingSpace]) -> None:
        """Never the active one."""
        self._each(request, queryset, lambda space: reembedding.space_drop(space=space), "dropped")

    @staticmethod
    def _switch(space: EmbeddingSpace) -> None:
        reembedding.space_switch(space=space)

    def _each(
        self,
        request: HttpRequest,
        queryset: QuerySet[EmbeddingSpace],
        act: Callable[[EmbeddingSpace], object],
        done: str,
    ) -> None:
        for space in queryset:
            name = space.name
            try:
                act(space)
                messages.success(request, f"{name} is {done}.")
            except InvalidSpace as error:
                messages.error(request, f"{name}: {error}")
