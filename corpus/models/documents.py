"""Documents, the work of reading them in, and the chunks they are cut into."""

import re
import uuid
from functools import partial

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.files.storage import Storage
from django.db import models, transaction
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField
from simple_history.models import HistoricalRecords

from corpus.taxonomy import AUTHORITY_LABELS, CONTENT_TYPE_LABELS, Authority, ContentType, scope_of

MAX_CHUNK_CHARACTERS = 1_600
MAX_CHUNK_TOKENS = 240

_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


class Document(models.Model):
    """One source of the library. Only published documents are ever retrieved."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=300)
    creator = models.CharField(max_length=300, blank=True)
    authority = models.CharField(max_length=20, choices=[(a.value, AUTHORITY_LABELS[a]) for a in Authority])
    content_type = models.CharField(max_length=20, choices=[(c.value, CONTENT_TYPE_LABELS[c]) for c in ContentType])
    language = models.CharField(max_length=20, default="en", help_text=_("Language tag, such as en or de-CH."))
    source_url = models.URLField(max_length=1_000, blank=True)
    rights_note = models.TextField(blank=True)
    review_by = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.DRAFT, editable=False)
    checksum = models.CharField(max_length=64, blank=True, editable=False, help_text=_("SHA-256 of the live file."))
    is_sample = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True, editable=False)
    history = HistoricalRecords()

    class Meta:
        ordering = ("title", "id")
        constraints = [
            models.CheckConstraint(condition=~models.Q(title=""), name="document_has_a_title"),
            models.CheckConstraint(
                condition=models.Q(authority__in=[a.value for a in Authority]), name="document_authority_known"
            ),
            models.CheckConstraint(
                condition=models.Q(content_type__in=[c.value for c in ContentType]), name="document_content_type_known"
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["draft", "published", "withdrawn"]), name="document_status_known"
            ),
        ]
        indexes = [models.Index(fields=["status", "authority"]), models.Index(fields=["checksum"])]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Refuse what no text is, before the database does. Raises ValidationError."""
        texts = {field.attname: getattr(self, field.attname) for field in self._meta.fields}
        broken = [name for name, value in texts.items() if isinstance(value, str) and _NO_TEXT.search(value)]
        if broken:
            raise ValidationError(dict.fromkeys(broken, _("It holds characters that are no text.")))

    @property
    def scope(self) -> int | None:
        """The scope its vectors and postings carry; None unless published."""
        if self.status != self.Status.PUBLISHED:
            return None
        return scope_of(Authority(self.authority), ContentType(self.content_type))


class Ingestion(models.Model):
    """One reading-in of one file of a document, from upload to live chunks."""

    class State(models.TextChoices):
        RECEIVED = "received", _("Received")
        READING = "reading", _("Reading")
        CHUNKING = "chunking", _("Chunking")
        EMBEDDING = "embedding", _("Embedding")
        READY = "ready", _("Ready to publish")
        LIVE = "live", _("Live")
        SUPERSEDED = "superseded", _("Superseded")
        FAILED = "failed", _("Failed")

    WORKING_STATES = (State.RECEIVED, State.READING, State.CHUNKING, State.EMBEDDING)
    OPEN_STATES = (*WORKING_STATES, State.READY)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="ingestions")
    file = models.FileField(upload_to="documents/%Y/%m/", max_length=500)
    file_name = models.CharField(max_length=300)
    checksum = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State.choices, default=State.RECEIVED)
    publish_when_ready = models.BooleanField(default=False)
    reason = models.TextField(blank=True, help_text=_("Why it failed, in one sentence an editor can act on."))
    permanent = models.BooleanField(default=False, help_text=_("Trying again cannot help."))
    warnings = models.JSONField(default=list, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_owner = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "id")
        constraints = [
            models.CheckConstraint(condition=models.Q(done__lte=models.F("total")), name="ingestion_done_within_total"),
            models.CheckConstraint(
                condition=~models.Q(state="failed") | ~models.Q(reason=""), name="ingestion_failure_has_a_reason"
            ),
            models.UniqueConstraint(
                fields=["document"],
                condition=models.Q(state__in=["received", "reading", "chunking", "embedding", "ready"]),
                name="ingestion_open_once_a_document",
            ),
        ]
        indexes = [models.Index(fields=["state", "lease_until"]), models.Index(fields=["checksum"])]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"

    @property
    def is_open(self) -> bool:
        """Whether it has still to end: waiting, worked on, or ready to be published."""
        return self.state in self.OPEN_STATES


@receiver(post_delete, sender=Ingestion)
def _remove_file(instance: Ingestion, **_signal: object) -> None:
    """Remove the file with the last row that names it, once that is final and whichever way the row went."""
    transaction.on_commit(partial(_remove_unused_file, instance.file.storage, instance.file.name))


def _remove_unused_file(storage: Storage, name: str | None) -> None:
    if name and not Ingestion.objects.filter(file=name).exists():
        storage.delete(name)


class ChunkText(models.Model):
    """The fields a chunk and a staged chunk share."""

    ordinal = models.PositiveIntegerField()
    heading_path = ArrayField(models.TextField(), default=list, blank=True)
    locator = models.JSONField(
        default=dict, blank=True, help_text=_('Where it stands: {"chapter": "3", "page": "12"}.')
    )
    prefix = models.TextField(blank=True, help_text=_("Title and headings as embedded before the text."))
    text = models.TextField()
    content_hash = models.CharField(max_length=64, help_text=_("SHA-256 of heading path and text."))
    embed_hash = models.CharField(max_length=64, help_text=_("SHA-256 of prefix and text: what was embedded."))
    tokens = models.PositiveSmallIntegerField(help_text=_("Tokens of prefix and text in the local model's tokenizer."))

    class Meta:
        abstract = True


class Chunk(ChunkText):
    """A live piece of a document: what is retrieved, read and cited."""

    id = models.BigAutoField(primary_key=True)
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chunks")
    length = models.PositiveIntegerField(
        default=0, help_text=_("Sum of weighted term frequencies, the length in BM25.")
    )

    class Meta:
        ordering = ("document", "ordinal")
        constraints = [
            models.UniqueConstraint(
                fields=["document", "ordinal"], name="chunk_ordinal_once", deferrable=models.Deferrable.DEFERRED
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="chunk_has_text"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), MAX_CHUNK_CHARACTERS), name="chunk_characters_bounded"
            ),
            models.CheckConstraint(condition=models.Q(tokens__lte=MAX_CHUNK_TOKENS), name="chunk_tokens_bounded"),
        ]
        indexes = [models.Index(fields=["content_hash"])]

    def __str__(self) -> str:
        # Never by a query: where the document is not loaded, its id has to do.
        loaded = "document" in self._state.fields_cache
        named = self.document.title if loaded else self.document_id
        return f"{named} #{self.ordinal + 1}: {self.text[:60]}"


class StagedChunk(ChunkText):
    """A chunk of an ingestion that has not been swapped in yet."""

    ingestion = models.ForeignKey(Ingestion, on_delete=models.CASCADE, related_name="staged_chunks")

    class Meta:
        ordering = ("ingestion", "ordinal")
        constraints = [models.UniqueConstraint(fields=["ingestion", "ordinal"], name="staged_chunk_ordinal_once")]

    def __str__(self) -> str:
        return f"{self.ingestion_id} #{self.ordinal}"


class StagedVector(models.Model):
    """The vector of a staged chunk in one space, kept so that a resumed ingestion embeds only what is missing."""

    staged_chunk = models.ForeignKey(StagedChunk, on_delete=models.CASCADE, related_name="vectors")
    space = models.ForeignKey("corpus.EmbeddingSpace", on_delete=models.CASCADE, related_name="+")
    embedding = VectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["staged_chunk", "space"], name="staged_vector_once")]

    def __str__(self) -> str:
        return f"{self.staged_chunk_id} in {self.space_id}"
