"""How Claude is reached, and what a call may take (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.llm.trying import Limits

# Just under the intent node's own 1.5 s, so that a silent provider counts as one that failed.
_INTENT = Limits(connect=1.0, attempt=1.4, total=1.4, tries=2)
_ANSWER = Limits(connect=3.0, attempt=10.0, total=20.0, tries=3)
_SUGGESTIONS = Limits(connect=2.0, attempt=7.0, total=7.5, tries=2)
_PING = Limits(connect=2.0, attempt=2.5, total=2.5, tries=1)


@dataclass(frozen=True, slots=True)
class ClaudeLimits:
    """Seconds and tries of each node; those of an answer count to its first word."""

    intent: Limits = _INTENT
    answer: Limits = _ANSWER
    suggestions: Limits = _SUGGESTIONS
    ping: Limits = _PING
    silence: float = 15.0
    """Between two pieces of an answer that has begun."""
    whole_answer: float = 120.0


@dataclass(frozen=True, slots=True)
class ClaudeAccess:
    """The key, and the names of models in the order they are tried. An empty address is the provider's own."""

    api_key: str = field(repr=False)
    fast_models: Sequence[str]
    answer_models: Sequence[str]
    base_url: str = ""
    limits: ClaudeLimits = field(default_factory=ClaudeLimits)
