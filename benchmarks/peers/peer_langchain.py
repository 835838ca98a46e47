"""LangChain: PGVectorStore with its hybrid search, and EnsembleRetriever over PGVectorStore and rank_bm25 in memory."""

import uuid
from collections.abc import Sequence

from job import Find, Job, run
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.retrievers import BM25Retriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_postgres import Column, PGEngine, PGVectorStore
from langchain_postgres.v2.hybrid_search_config import HybridSearchConfig, reciprocal_rank_fusion
from langchain_postgres.v2.indexes import DistanceStrategy, HNSWIndex, HNSWQueryOptions

PORTION = 500
# rank_bm25 scores every document of the set for every question.
MOST_SCORED = 3_000_000


class Given(Embeddings):
    """Vectors that are known already."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    def embed_query(self, text: str) -> list[float]:
        return self.vectors[text]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vectors[text] for text in texts]


def configuration(job: Job) -> HybridSearchConfig:
    """A new one for each question: a kept one holds the first question's text."""
    return HybridSearchConfig(
        index_name=f"{job.table}_tsv",
        tsv_column="content_tsv",
        tsv_lang="pg_catalog.english",
        fusion_function=reciprocal_rank_fusion,
        fusion_function_parameters={"rrf_k": 60, "fetch_top_k": job.limit},
        primary_top_k=job.depth,
        secondary_top_k=job.depth,
    )


def store_of(job: Job) -> PGVectorStore:
    """The filled store."""
    engine = PGEngine.from_connection_string(f"postgresql+psycopg://{job.url.split('://', 1)[1]}")
    if not job.loaded:
        engine.init_vectorstore_table(
            job.table,
            job.vectors.shape[1],
            overwrite_existing=True,
            id_column="langchain_id",
            metadata_columns=[Column("authority", "TEXT")],
            hybrid_search_config=configuration(job),
        )
    store = PGVectorStore.create_sync(
        engine,
        Given(job.question_vectors),
        job.table,
        metadata_columns=["authority"],
        hybrid_search_config=configuration(job),
        index_query_options=HNSWQueryOptions(ef_search=max(job.depth, 48)),
        k=job.depth,
    )
    if not job.loaded:
        ids = [str(uuid.uuid5(uuid.NAMESPACE_OID, one)) for one in job.ids]
        facts = [{"document": one, "authority": authority} for one, authority in zip(job.ids, job.authorities)]
        vectors = job.vectors.tolist()
        for start in range(0, len(ids), PORTION):
            part = slice(start, start + PORTION)
            store.add_embeddings(job.texts[part], vectors[part], facts[part], ids=ids[part])
        store.apply_vector_index(
            HNSWIndex(name=f"{job.table}_hnsw", distance_strategy=DistanceStrategy.COSINE_DISTANCE)
        )
        store.apply_hybrid_search_index()
    return store


def ids_of(documents: Sequence[Document]) -> list[str]:
    """The ids of the job's documents."""
    return [document.metadata["document"] for document in documents]


def systems(job: Job) -> dict[str, Find]:
    """Both of its ways to a hybrid search."""
    store = store_of(job)

    def hybrid(question: str, primary: bool) -> Sequence[str]:
        chosen = {"authority": "primary"} if primary else None
        return ids_of(
            store.similarity_search(question, k=job.limit, filter=chosen, hybrid_search_config=configuration(job))
        )

    found: dict[str, Find] = {"LangChain PGVectorStore hybrid": hybrid}
    if len(job.questions) * len(job.ids) <= MOST_SCORED or job.mode == "quality":
        found["LangChain ensemble with BM25"] = ensemble(job, store)
    return found


def ensemble(job: Job, store: PGVectorStore) -> Find:
    """EnsembleRetriever with its documented weights; the words are kept in memory, split at blanks."""

    def retriever(primary: bool) -> EnsembleRetriever:
        kept = [at for at, authority in enumerate(job.authorities) if not primary or authority == "primary"]
        words = BM25Retriever.from_texts(
            [job.texts[at] for at in kept], metadatas=[{"document": job.ids[at]} for at in kept]
        )
        words.k = job.depth
        chosen = {"filter": {"authority": "primary"}} if primary else {}
        near = store.as_retriever(search_kwargs={"k": job.depth, "hybrid_search_config": None, **chosen})
        return EnsembleRetriever(retrievers=[near, words], weights=[0.5, 0.5], c=60)

    retrievers = {primary: retriever(primary) for primary in ((False, True) if job.mode == "quality" else (False,))}

    def find(question: str, primary: bool) -> Sequence[str]:
        return ids_of(retrievers[primary].invoke(question))[: job.limit]

    return find


run("langchain", systems)
