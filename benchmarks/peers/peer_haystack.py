"""Haystack: PgvectorEmbeddingRetriever and PgvectorKeywordRetriever, joined by DocumentJoiner, in one Pipeline."""

import os
from collections.abc import Sequence

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.document_stores.types import DuplicatePolicy
from haystack.utils import Secret
from haystack_integrations.components.retrievers.pgvector import (
    PgvectorEmbeddingRetriever,
    PgvectorKeywordRetriever,
)
from haystack_integrations.document_stores.pgvector import PgvectorDocumentStore
from job import Find, Job, run

PORTION = 500
PRIMARY = {"field": "meta.authority", "operator": "==", "value": "primary"}


def store_of(job: Job) -> PgvectorDocumentStore:
    """The filled store."""
    store = PgvectorDocumentStore(
        connection_string=Secret.from_token(job.url),
        table_name=job.table,
        language="english",
        embedding_dimension=job.vectors.shape[1],
        vector_function="cosine_similarity",
        recreate_table=not job.loaded,
        search_strategy="hnsw",
        hnsw_recreate_index_if_exists=not job.loaded,
        hnsw_ef_search=max(job.depth, 48),
        keyword_index_name=f"{job.table}_keyword",
        hnsw_index_name=f"{job.table}_hnsw",
    )
    if not job.loaded:
        rows = list(zip(job.ids, job.texts, job.authorities, job.vectors.tolist()))
        for start in range(0, len(rows), PORTION):
            store.write_documents(
                [
                    Document(id=one, content=text, embedding=vector, meta={"authority": authority})
                    for one, text, authority, vector in rows[start : start + PORTION]
                ],
                policy=DuplicatePolicy.OVERWRITE,
            )
    return store


def systems(job: Job) -> dict[str, Find]:
    """Reciprocal rank fusion."""
    store = store_of(job)
    pipeline = Pipeline()
    pipeline.add_component("near", PgvectorEmbeddingRetriever(document_store=store, top_k=job.depth))
    pipeline.add_component("words", PgvectorKeywordRetriever(document_store=store, top_k=job.depth))
    pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=job.limit))
    pipeline.connect("near", "joiner")
    pipeline.connect("words", "joiner")

    def find(question: str, primary: bool) -> Sequence[str]:
        filters = {"filters": PRIMARY} if primary else {}
        asked = {
            "near": {"query_embedding": job.question_vectors[question], **filters},
            "words": {"query": question, **filters},
        }
        return [document.id for document in pipeline.run(asked)["joiner"]["documents"]]

    return {"Haystack RRF": find}


run("haystack", systems)
