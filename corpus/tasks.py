"""The library's background work. Tasks take ids, call one function, and may be run any number of times."""

import uuid
from collections.abc import Sequence

from celery import shared_task

from corpus import graph_upkeep, services, wiring
from corpus.embeddings import Vector
from corpus.graph.work import work_do
from corpus.models import EmbeddingSpace
from corpus.postings import statistics_rebuild
from corpus.reembedding import space_build_run, spaces_sweep


@shared_task  # type: ignore[untyped-decorator]
def ingest(ingestion_id: str) -> None:
    """Read one file in; what becomes of it stands on the ingestion."""
    services.ingestion_run(ingestion_id=uuid.UUID(ingestion_id), embedder_for=wiring.embedder_for)


@shared_task  # type: ignore[untyped-decorator]
def build_space(space_id: int) -> None:
    """Give every chunk a vector in a space; how far it is stands on its build."""
    space_build_run(space_id=space_id, embedder_for=wiring.embedder_for)


@shared_task  # type: ignore[untyped-decorator]
def sweep_spaces() -> None:
    """Take up again what a lost worker, a lost message or an embedder that was away left unbuilt."""
    spaces_sweep()


@shared_task  # type: ignore[untyped-decorator]
def graph_work() -> None:
    """Find mentions of changed names anew, and look for proposals, if any of it is asked for."""
    work_do()


@shared_task  # type: ignore[untyped-decorator]
def rebuild_statistics() -> None:
    """Recount the lexemes of what is published, and measure the floors, if anything has changed."""
    statistics_rebuild(embed=_embed)


@shared_task  # type: ignore[untyped-decorator]
def sweep_ingestions() -> None:
    """Queue again what a lost worker or a lost message left behind."""
    services.ingestions_sweep()


@shared_task  # type: ignore[untyped-decorator]
def project_graph() -> None:
    """Carry what has changed in the graph's record into Neo4j; build it there when it is missing."""
    graph_upkeep.project(wiring.graph_writer())


@shared_task  # type: ignore[untyped-decorator]
def ping_graph() -> None:
    """Keep Neo4j awake, note how it is, and remove what was retired there."""
    graph_upkeep.ping(wiring.graph_writer())


@shared_task  # type: ignore[untyped-decorator]
def reconcile_graph() -> None:
    """Compare Neo4j with the record and put right what differs; the staff page shows what was found."""
    graph_upkeep.reconcile(wiring.graph_writer())


def _embed(space: EmbeddingSpace, texts: Sequence[str]) -> list[Vector]:
    return wiring.embedder_for(space).embed_batch(texts)
