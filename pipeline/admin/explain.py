"""A page for editors: why a question, or a stored turn, gets the sources it gets. It changes nothing."""

from asgiref.sync import async_to_sync
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from corpus.errors import CorpusError
from corpus.models import Document
from journeys.errors import JourneyError
from journeys.services import clean_question
from pipeline.explaining import Asked, asked_by_turn, asked_first, explained
from pipeline.explanation import slots_of
from pipeline.intents import INTENT_TABLE, strategy_of
from pipeline.phases import plan_of
from pipeline.turn import IntentKind

PERMISSION = "corpus.view_document"


class ExplainForm(forms.Form):
    """A question or a turn, and perhaps a document that was expected."""

    question = forms.CharField(required=False, max_length=4_000, widget=forms.TextInput(attrs={"size": 80}))
    turn = forms.UUIDField(
        required=False, help_text=_("Instead of a question: a stored turn, your own or of a member who lets you look.")
    )
    intent = forms.ChoiceField(
        required=False, choices=[("", _("as found")), *((kind.value, kind.value) for kind in IntentKind)]
    )
    document = forms.ModelChoiceField(
        required=False,
        queryset=Document.objects.order_by("title"),
        help_text=_("Why is this document not among the sources?"),
    )

    def clean(self) -> dict[str, object]:
        """Exactly one of question and turn."""
        cleaned = super().clean() or {}
        if bool(cleaned.get("question")) == bool(cleaned.get("turn")):
            raise forms.ValidationError(_("Give a question or a turn."))
        return cleaned


def explain_view(request: HttpRequest) -> HttpResponse:
    """The form, and below it the explanation."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    form = ExplainForm(request.GET or None)
    found: dict[str, object] = {}
    if form.is_valid():
        try:
            found = _found(request, form.cleaned_data)
        except (CorpusError, JourneyError) as error:
            form.add_error(None, str(error))
    context = {**admin.site.each_context(request), "title": _("Why these sources"), "form": form, **found}
    return TemplateResponse(request, "admin/pipeline/explain.html", context)


def _found(request: HttpRequest, wanted: dict[str, object]) -> dict[str, object]:
    """What the page shows. Raises NotFound, InvalidValue, SearchUnavailable."""
    asked = _asked(request, wanted)
    document = wanted["document"]
    named = str(document.pk) if isinstance(document, Document) else ""
    explanation, reasons = async_to_sync(explained)(asked, document=named)
    plan = plan_of(INTENT_TABLE[strategy_of(asked.intent.kind, asked.intent.confidence)])
    return {"explanation": explanation, "reasons": reasons, "document": document, "slots": slots_of(plan)}


def _asked(request: HttpRequest, wanted: dict[str, object]) -> Asked:
    if wanted["turn"]:
        return asked_by_turn(str(wanted["turn"]), viewer=request.user)  # type: ignore[arg-type]  # (staff are members)
    kind = IntentKind(str(wanted["intent"])) if wanted["intent"] else None
    return async_to_sync(asked_first)(clean_question(str(wanted["question"])), kind)
