"""What can go wrong with the library."""


class CorpusError(Exception):
    """Something about the library could not be done."""

    code = "corpus_error"
    status = 500
    permanent = True

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class DocumentNotFound(CorpusError):
    """There is no such document."""

    code = "not_found"
    status = 404


class InvalidDocument(CorpusError):
    """The document cannot be stored as it is."""

    code = "invalid_document"
    status = 400


class InvalidSpace(CorpusError):
    """The embedding space cannot be made, built or switched as asked."""

    code = "invalid_space"
    status = 400


class UnreadableFile(CorpusError):
    """The file could not be read."""

    code = "unreadable_file"
    status = 422


class EmbedderUnavailable(CorpusError):
    """The embedding service does not answer."""

    code = "embedder_unavailable"
    status = 503
    permanent = False


class EmbedderMissing(EmbedderUnavailable):
    """The embedding model is not installed, or nothing here can run it."""

    code = "embedder_missing"
    permanent = True


class NoActiveSpace(CorpusError):
    """No embedding space is active yet."""

    code = "no_active_space"
    status = 503
    permanent = False


class SearchUnavailable(CorpusError):
    """The library cannot be searched at the moment."""

    code = "search_unavailable"
    status = 503
    permanent = False


class InvalidGraph(CorpusError):
    """The knowledge graph cannot be changed like this."""

    code = "invalid_graph"
    status = 400
    permanent = True


class GraphUnavailable(CorpusError):
    """The graph store does not answer, or not as it should."""

    code = "graph_unavailable"
    status = 503
    permanent = False


class GenerationLost(GraphUnavailable):
    """The graph store does not hold the generation that it should hold, or holds it as it once was."""

    code = "generation_lost"
