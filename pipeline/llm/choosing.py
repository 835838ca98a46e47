"""Which language model serves which node: Claude where a key is configured, else the local one.

Built once for each event loop. A provider that does not answer at the start delays nothing: the nodes fall back.
"""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.conf import settings

from corpus.keep_warm import KeepWarm
from pipeline.errors import ModelUnavailable
from pipeline.llm.claude_access import ClaudeAccess
from pipeline.llm.model import LanguageModel

if TYPE_CHECKING:
    from pipeline.llm.claude import ClaudeModel

logger = logging.getLogger(__name__)

NODES = ("intent", "answers", "suggestions")


class LanguageModels:
    """The models of one event loop."""

    def __init__(self, local: LanguageModel, claude: "ClaudeModel | None") -> None:
        self.local = local
        self.intent = self.answers = self.suggestions = claude or local
        self._claude = claude
        self._warmth = KeepWarm(claude.warm) if claude else None

    def serves(self) -> Mapping[str, str]:
        """For each node which adapter and model answers."""
        if self._claude is None:
            return dict.fromkeys(NODES, self.local.name)
        return {node: f"{self._claude.name}: {model}" for node, model in self._claude.serves.items()}

    async def open(self) -> None:
        """Open the connections that the first question needs, and keep them open."""
        if self._claude is None or self._warmth is None:
            return
        try:
            await self._claude.warm()
        except ModelUnavailable as error:
            logger.warning("Claude does not answer yet, so the local adapters do: %s", error)
        self._warmth.open()

    async def close(self) -> None:
        """Close every connection."""
        if self._warmth is not None:
            await self._warmth.close()
        if self._claude is not None:
            await self._claude.close()


def is_local() -> bool:
    """Whether the settings name no provider for answers, so that answers are quotations."""
    return not settings.ANTHROPIC_API_KEY


def models_of_settings(local: LanguageModel) -> LanguageModels:
    """The models that the settings name, not opened yet."""
    if is_local():
        return LanguageModels(local, None)
    # An SDK that is not configured is not imported.
    from pipeline.llm.claude import ClaudeModel

    access = ClaudeAccess(
        api_key=settings.ANTHROPIC_API_KEY,
        fast_models=settings.CLAUDE_FAST_MODELS,
        answer_models=settings.CLAUDE_ANSWER_MODELS,
        base_url=settings.ANTHROPIC_BASE_URL,
    )
    return LanguageModels(local, ClaudeModel(access))
