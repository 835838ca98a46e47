"""How OpenAI is reached, and what a call may take (pure). Its SDK is imported only where a space asks for it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OpenAILimits:
    """Seconds and tries: of a question's embedding, and of a worker's request."""

    query: float = 1.5
    query_tries: int = 2
    batch: float = 30.0
    batch_tries: int = 4


@dataclass(frozen=True, slots=True)
class OpenAIAccess:
    """How OpenAI is reached. An empty address is the provider's own."""

    api_key: str = field(repr=False)
    base_url: str = ""
    limits: OpenAILimits = field(default_factory=OpenAILimits)
