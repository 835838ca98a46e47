"""LlamaIndex: PGVectorStore(hybrid_search=True), fused by QueryFusionRetriever in both its documented modes.

num_queries=1, as generating more would need a language model.
"""

from collections.abc import Sequence

from job import Find, Job, run
from llama_index.core import MockEmbedding, Settings
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode
from llama_index.vector_stores.postgres import PGVectorStore

PORTION = 500
PRIMARY = MetadataFilters(filters=[MetadataFilter(key="authority", value="primary")])


class Arm(BaseRetriever):
    """A store's own retriever in one mode, with the question's vector given."""

    def __init__(self, store: PGVectorStore, job: Job, mode: VectorStoreQueryMode, primary: bool) -> None:
        self.store, self.job, self.mode, self.primary = store, job, mode, primary
        super().__init__()

    def _retrieve(self, bundle: QueryBundle) -> list[NodeWithScore]:
        question = bundle.query_str
        found = self.store.query(
            VectorStoreQuery(
                query_embedding=self.job.question_vectors[question],
                query_str=question,
                similarity_top_k=self.job.depth,
                sparse_top_k=self.job.depth,
                mode=self.mode,
                filters=PRIMARY if self.primary else None,
            )
        )
        return [NodeWithScore(node=node, score=score) for node, score in zip(found.nodes, found.similarities)]


def store_of(job: Job) -> PGVectorStore:
    """The filled store."""
    Settings.llm = MockLLM()
    Settings.embed_model = MockEmbedding(embed_dim=job.vectors.shape[1])
    address = job.url.split("://", 1)[1]
    store = PGVectorStore.from_params(
        connection_string=f"postgresql+psycopg2://{address}",
        async_connection_string=f"postgresql+asyncpg://{address}",
        table_name=job.table,
        embed_dim=job.vectors.shape[1],
        hybrid_search=True,
        text_search_config="english",
        hnsw_kwargs={
            "hnsw_m": 16,
            "hnsw_ef_construction": 64,
            "hnsw_ef_search": max(job.depth, 48),
            "hnsw_dist_method": "vector_cosine_ops",
        },
    )
    if not job.loaded:
        rows = list(zip(job.ids, job.texts, job.authorities, job.vectors.tolist()))
        for start in range(0, len(rows), PORTION):
            store.add(
                [
                    TextNode(id_=one, text=text, embedding=vector, metadata={"authority": authority})
                    for one, text, authority, vector in rows[start : start + PORTION]
                ]
            )
    return store


def systems(job: Job) -> dict[str, Find]:
    """Reciprocal rank fusion, and fusion of relative scores."""
    store = store_of(job)

    def fused(mode: str) -> Find:
        retrievers = {
            primary: QueryFusionRetriever(
                [
                    Arm(store, job, VectorStoreQueryMode.DEFAULT, primary),
                    Arm(store, job, VectorStoreQueryMode.TEXT_SEARCH, primary),
                ],
                similarity_top_k=job.limit,
                num_queries=1,
                mode=mode,
                use_async=False,
            )
            for primary in (False, True)
        }

        def find(question: str, primary: bool) -> Sequence[str]:
            return [found.node.node_id for found in retrievers[primary].retrieve(question)]

        return find

    return {"LlamaIndex relative score": fused("relative_score"), "LlamaIndex RRF": fused("reciprocal_rerank")}


run("llamaindex", systems)
