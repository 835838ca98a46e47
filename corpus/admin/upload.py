"""Many files, or a pasted text, with one set of labels: a document each, and for each what became of it."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from corpus.admin.document_form import PASTED_HELP
from corpus.admin.pages import DocumentPages
from corpus.admin.reach import reach_table
from corpus.admin.reading import reading_of
from corpus.errors import CorpusError, InvalidDocument
from corpus.ingestion.clean import one_line
from corpus.ingestion.reading import FORMATS, READERS, check_format
from corpus.library import Labels, file_take
from corpus.models import Document
from corpus.services import check_size

logger = logging.getLogger(__name__)

PASTED_NAME = "pasted-text.md"
_NOT_STORED = "The file could not be stored; please try again, and tell whoever runs this site if it happens again."


class ManyFiles(forms.ClearableFileInput):
    """A field for any number of files at once."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/input.html"


class FilesField(forms.FileField):
    """Any number of files, none looked at yet: one that cannot be read must not keep the others out."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[bytes]"]:  # noqa: ARG002  (Django's signature)
        """The files as they came."""
        return [file for file in (data if isinstance(data, list | tuple) else [data]) if file is not None]


class UploadForm(forms.ModelForm):  # type: ignore[type-arg]
    """Files or a text, and the labels that all of them get."""

    uploads = FilesField(
        required=False,
        label="Files",
        help_text=f"Choose one or many, or drop them here: {FORMATS}.",
        widget=ManyFiles(attrs={"accept": ",".join(READERS)}),
    )
    pasted = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 6}), label="Or pasted text", help_text=PASTED_HELP
    )
    language = forms.CharField(
        required=False, max_length=20, help_text="A tag such as en or de-CH; left empty, what each file says, else en."
    )
    publish = forms.BooleanField(
        required=False,
        label="Publish when read in",
        help_text="Otherwise they are drafts, for you to look at before members find them.",
    )

    field_order = ("uploads", "pasted", "authority", "content_type", "language", "rights_note", "publish")

    class Meta:
        model = Document
        fields = ("authority", "content_type", "rights_note")
        widgets = {"rights_note": forms.Textarea(attrs={"rows": 2})}

    def clean(self) -> dict[str, Any]:
        """Something to read."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("uploads") and not cleaned.get("pasted"):
            raise ValidationError("Choose at least one file, or paste a text.")
        return cleaned

    def texts(self) -> Iterator[tuple[str, "UploadedFile[bytes] | bytes"]]:
        """Each file and the pasted text by name."""
        for file in self.cleaned_data["uploads"]:
            yield str(file.name), file
        if pasted := self.cleaned_data["pasted"]:
            yield PASTED_NAME, pasted.encode()


@dataclass(frozen=True, slots=True)
class Taking:
    """What became of one file: its document, or why there is none."""

    name: str
    document: Document | None = None
    said: str = ""

    def as_json(self) -> dict[str, object]:
        """For the page's module."""
        told: dict[str, object] = {"name": self.name, "said": self.said}
        if self.document is None:
            return told
        address = reverse("admin:corpus_document_change", args=[self.document.pk])
        return told | {"document": str(self.document.pk), "title": self.document.title, "address": address}


def upload_page(request: HttpRequest, *, pages: DocumentPages) -> HttpResponseBase:
    """The form, and after sending it what became of each file.

    The page's module sends the files one by one, each with the labels, and is answered in JSON.
    """
    if not pages.documents.has_add_permission(request):
        raise PermissionDenied
    form = UploadForm(request.POST or None, request.FILES or None, initial={"authority": "", "content_type": ""})
    takings: list[Taking] = []
    if request.method == "POST" and form.is_valid():
        may_publish = pages.documents.has_change_permission(request)
        takings = [_take(name, text, form.cleaned_data, may_publish=may_publish) for name, text in form.texts()]
    if "application/json" in request.headers.get("accept", ""):
        return _json(form, takings)
    return _html(request, form, takings, pages)


def _take(name: str, text: "UploadedFile[bytes] | bytes", given: dict[str, Any], *, may_publish: bool) -> Taking:
    shown = one_line(name)
    labels = Labels(
        authority=given["authority"],
        content_type=given["content_type"],
        language=given["language"],
        rights_note=given["rights_note"],
    )
    try:
        check_format(name)
        data = text if isinstance(text, bytes) else _read(text)
        taken = file_take(name=name, data=data, labels=labels, publish=given["publish"] and may_publish, relabel=False)
    except CorpusError as error:
        return Taking(shown, said=str(error))
    except OSError:
        logger.exception("an uploaded file could not be stored")
        return Taking(shown, said=_NOT_STORED)
    known = "The library holds this very file already; its document and labels were left as they are."
    return Taking(shown, taken.ingestion.document, said=known if taken.known else "")


def _read(file: "UploadedFile[bytes]") -> bytes:
    """Raises InvalidDocument."""
    check_size(file.size or 0)
    if data := bytes(file.read()):
        return data
    raise InvalidDocument("The file is empty.")


def _json(form: UploadForm, takings: list[Taking]) -> JsonResponse:
    if form.is_bound and not form.is_valid():
        errors = {name: [str(error) for error in found] for name, found in form.errors.items()}
        return JsonResponse({"errors": errors}, status=400)
    return JsonResponse({"files": [taking.as_json() for taking in takings]})


def _html(request: HttpRequest, form: UploadForm, takings: list[Taking], pages: DocumentPages) -> HttpResponse:
    context = pages.context(request, title="Upload files") | {
        "form": form,
        "takings": [(taking, reading_of(taking.document) if taking.document else None) for taking in takings],
        "rows": reach_table(),
    }
    return render(request, "admin/corpus/document/upload.html", context)
