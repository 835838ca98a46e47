"""The keyword channel's inverted index and its statistics, as stored; corpus/postings.py fills them."""

from django.db import models


class Posting(models.Model):
    """One lexeme in one chunk. `scope` is null unless the document is published.

    The chunk's length stands here too, so that a lexeme's share of a score is known from its index alone.
    """

    # The chunk first: a chunk's postings are written side by side, and found by this index when it goes.
    pk = models.CompositePrimaryKey("chunk", "lexeme")
    lexeme = models.TextField()
    scope = models.SmallIntegerField(null=True)
    chunk = models.ForeignKey("corpus.Chunk", on_delete=models.CASCADE, related_name="postings", db_index=False)
    tf = models.FloatField()
    length = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["lexeme", "scope"], include=["chunk", "tf", "length"], name="posting_lookup")]

    def __str__(self) -> str:
        return f"{self.lexeme} in {self.chunk_id}"


class LexemeStatistics(models.Model):
    """In how many published chunks a lexeme stands."""

    lexeme = models.TextField(primary_key=True)
    documents = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.lexeme}: {self.documents}"


class CorpusStatistics(models.Model):
    """The one row of what BM25 needs to know about all published chunks."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    chunks = models.PositiveIntegerField(default=0)
    mean_length = models.FloatField(default=0.0)
    configurations = models.JSONField(default=list, help_text="Text search configurations in use.")
    changes = models.PositiveBigIntegerField(default=0, help_text="Changes of published chunks, ever.")
    counted_changes = models.PositiveBigIntegerField(default=0, help_text="Those the statistics know.")
    computed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="corpus_statistics_one_row")]

    def __str__(self) -> str:
        return f"{self.chunks} chunks"
