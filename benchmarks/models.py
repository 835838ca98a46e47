"""Which language model a benchmark measures: the local one, or any that a factory makes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module

from corpus.embeddings import LocalEmbedder
from pipeline.llm.local import LocalModel
from pipeline.llm.model import LanguageModel

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Models:
    """The model that is measured, and the local one that stands beside it."""

    intent: LanguageModel
    local: LanguageModel


@asynccontextmanager
async def models_for(name: str = LOCAL) -> AsyncIterator[Models]:
    """The models of this name: `local`, or `package.module:factory` for what that factory returns."""
    local = LocalModel(LocalEmbedder())
    await asyncio.to_thread(local.warm)
    yield Models(local if name == LOCAL else _made(name), local)


def _made(name: str) -> LanguageModel:
    module, _, factory = name.partition(":")
    model: LanguageModel = getattr(import_module(module), factory)()
    return model
