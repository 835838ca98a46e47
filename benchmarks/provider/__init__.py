"""A provider of models to try things against: real sockets, the Messages and the embeddings API, and every fault."""

from benchmarks.provider.replies import Call, Reply
from benchmarks.provider.server import Provider

__all__ = ["Call", "Provider", "Reply"]
