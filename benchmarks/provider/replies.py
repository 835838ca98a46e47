"""What a call to the provider is, and what it is answered with."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Step = bytes | float
"""A piece of the body, or a pause in seconds before the next one."""


@dataclass(slots=True)
class Call:
    """One request as it arrived, and how it went."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    arrived: float
    """By time.monotonic."""
    pieces_sent: int = 0
    first_piece_at: float = 0.0
    ended_at: float = 0.0
    hung_up: bool = False
    """The client closed the connection before the end of the reply."""

    @property
    def node(self) -> str:
        """Which call it is: intent, answer, suggestions, embeddings, or models."""
        if self.path.endswith("/embeddings"):
            return "embeddings"
        if "/models" in self.path:
            return "models"
        if self.body.get("stream"):
            return "answer"
        shape = json.dumps(self.body.get("output_config", {}))
        return "intent" if "needs_retrieval" in shape else "suggestions"

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model") or self.path.rpartition("/")[2])


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call is answered with. `steps` are sent as they are, one chunk each."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    steps: Sequence[Step] = ()
    before: float = 0.0
    """Seconds before the status line."""
    cut_at: int | None = None
    """So many bytes of the body are sent, then the connection ends."""
    cleanly: bool = False
    """Whether the end after a cut looks like the end of the body; else it is torn."""


def json_reply(body: object, *, status: int = 200, before: float = 0.0, **headers: str) -> Reply:
    """A JSON body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"content-type": "application/json", **named}, [json.dumps(body).encode()], before)


def error_reply(status: int, kind: str, *, before: float = 0.0, **headers: str) -> Reply:
    """An error as the Messages API words it."""
    body = {"type": "error", "error": {"type": kind, "message": kind.replace("_", " ")}}
    return json_reply(body, status=status, before=before, **headers)


def silence(seconds: float = 3_600.0) -> Reply:
    """Nothing at all, for so long."""
    return Reply(before=seconds)
