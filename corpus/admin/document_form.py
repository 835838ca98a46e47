"""The form of one document."""

from typing import Any

from django import forms

from corpus import services
from corpus.errors import CorpusError
from corpus.ingestion.clean import one_line
from corpus.ingestion.reading import FORMATS, check_format
from corpus.models import Document

PASTED_HELP = "Read as Markdown: a line that begins with # is a heading."


class DocumentForm(forms.ModelForm):  # type: ignore[type-arg]
    """A document's labels, and a text for it: one file, or pasted."""

    source_url = forms.URLField(required=False, max_length=1_000, assume_scheme="https")
    upload = forms.FileField(required=False, help_text=f"One file to read in: {FORMATS}.")
    pasted = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 100}),
        label="Or pasted text",
        help_text=PASTED_HELP,
    )
    publish = forms.BooleanField(
        required=False,
        label="Publish when read in",
        help_text="Otherwise a new text of a published document waits until you publish it.",
    )

    class Meta:
        model = Document
        fields = services.EDITABLE

    def clean_title(self) -> str:
        """The title as it will be stored."""
        return one_line(self.cleaned_data["title"])

    def clean(self) -> dict[str, Any]:
        """One text at most, of a format that can be read."""
        cleaned = super().clean() or self.cleaned_data
        upload = cleaned.get("upload")
        if upload and cleaned.get("pasted"):
            self.add_error("pasted", "Upload a file or paste a text, not both.")
        if upload:
            try:
                check_format(upload.name)
                services.check_size(upload.size)
            except CorpusError as error:
                self.add_error("upload", str(error))
        return cleaned
