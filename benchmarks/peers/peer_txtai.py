"""txtai: vectors in pgvector, words in Postgres full text (scoring method pgtext), with its built-in hybrid fusion.

Its word arm takes no filter, so it answers for all documents only.
"""

from collections.abc import Sequence

import numpy as np
from job import Find, Job, run
from txtai import Embeddings


def systems(job: Job) -> dict[str, Find]:
    """The index with its default weights."""
    url = f"postgresql+psycopg2://{job.url.split('://', 1)[1]}"
    vectors = {**dict(zip(job.texts, job.vectors)), **job.question_vectors}
    index = Embeddings(
        method="external",
        transform=lambda texts: np.array([vectors[text] for text in texts], dtype=np.float32),
        backend="pgvector",
        pgvector={"url": url, "table": f"{job.table}_vectors"},
        scoring={"method": "pgtext", "url": url, "table": f"{job.table}_words", "normalize": True},
    )
    index.index(zip(job.ids, job.texts))

    def find(question: str, primary: bool) -> Sequence[str]:
        if primary:
            raise NotImplementedError
        return [found for found, _ in index.search(question, job.limit)]

    return {"txtai hybrid": find}


run("txtai", systems)
