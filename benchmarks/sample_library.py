"""The sample library, read in without workers into the database that Django points at."""

from corpus.embeddings import LocalEmbedder
from corpus.models import Ingestion
from corpus.postings import statistics_rebuild
from corpus.samples.loading import samples_load
from corpus.services import ingestion_run, spaces_ensure


def sample_library_fill() -> None:
    """Load the samples, read each in, and count what was published."""
    embedder = LocalEmbedder()
    spaces_ensure()
    samples_load()
    for ingestion in Ingestion.objects.filter(state__in=Ingestion.WORKING_STATES):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=lambda _space: embedder)
    statistics_rebuild(embed=lambda _space, texts: embedder.embed_batch(texts))
