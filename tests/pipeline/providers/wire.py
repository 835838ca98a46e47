"""A world whose models are asked over the wire, and the frames that a client of it sees."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.provider import Provider
from corpus.embeddings import QueryEmbedder, SpaceLike
from corpus.openai_access import OpenAIAccess, OpenAILimits
from corpus.openai_embedder import OpenAIEmbedder
from corpus.search import PublishedChunk
from corpus.taxonomy import Authority
from journeys import services
from journeys.models import Conversation, Member, Turn
from pipeline import runs
from pipeline.llm.claude import ClaudeModel
from pipeline.llm.claude_access import ClaudeAccess, ClaudeLimits
from pipeline.llm.local import LocalModel
from pipeline.llm.trying import Limits
from pipeline.record import JourneyView, TurnRecord
from pipeline.run_log import Entry
from pipeline.runner import Clients
from pipeline.wiring import Station
from pipeline.writes import write
from tests.pipeline.fake_library import FakeGraph, FakeSearch, chunk_of
from tests.pipeline.fakes import WordEmbedder
from tests.pipeline.stream_fakes import ended, followed

GOLDEN = Path(__file__).parent / "golden"
PATIENT = ClaudeLimits(
    intent=Limits(connect=5.0, attempt=10.0, total=20.0, tries=2),
    answer=Limits(connect=5.0, attempt=10.0, total=20.0, tries=3),
    suggestions=Limits(connect=5.0, attempt=10.0, total=20.0, tries=2),
)
LIBRARY = (
    chunk_of(1, "Failure is the best teacher. It shows what to change first."),
    chunk_of(2, "A second act begins with what you know. Start small.", Authority.SUPPLEMENTARY),
)


@dataclass(frozen=True)
class _Space:
    name: str = "small"
    provider: str = "openai"
    model: str = "text-embedding-3-small"


class Wire:
    """Everything a turn talks to, with the providers behind real sockets and the rest in memory."""

    def __init__(
        self,
        provider: Provider,
        *,
        limits: ClaudeLimits = PATIENT,
        library: Sequence[PublishedChunk] = LIBRARY,
        **names: Any,
    ) -> None:
        models = {"fast_models": ("claude-haiku-4-5",), "answer_models": ("claude-sonnet-4-5",), **names}
        self.provider = provider
        self.search = FakeSearch(library)
        self.claude = ClaudeModel(ClaudeAccess(api_key="a-key", base_url=provider.url, limits=limits, **models))
        patience = OpenAILimits(query=20.0, query_tries=1)
        access = OpenAIAccess(api_key="a-key", base_url=f"{provider.url}/v1", limits=patience)
        self.openai = OpenAIEmbedder("text-embedding-3-small", access)
        self.queries = QueryEmbedder(self._space, lambda _space: self.openai, cache_size=0)

    @property
    def clients(self) -> Clients:
        """The clients of a turn in this world."""
        return Clients(
            intent_model=self.claude,
            answer_model=self.claude,
            suggestion_model=self.claude,
            local=LocalModel(WordEmbedder()),
            embed_query=self.queries.embed_query,
            search=self.search,  # type: ignore[arg-type]
            graph=FakeGraph(),
            finish=_no_run,
            probe=_probe,
            help_line=_help_line,
        )

    async def close(self) -> None:
        """Close every connection."""
        await self.claude.close()
        await self.openai.close()

    async def _space(self) -> SpaceLike:
        return _Space()


@dataclass
class Asker:
    """A member who asks through real runs and follows as a client does."""

    station: Station
    member: Member
    conversation: Conversation | None = None

    async def ask(self, question: str, **fields: Any) -> tuple[Turn, list[Entry]]:
        """The turn as it was stored, and its frames."""
        if self.conversation is None:
            self.conversation = await write(services.conversation_create, member=self.member)
        accepted = await write(
            services.turn_accept,
            member=self.member,
            conversation_id=self.conversation.pk,
            question=question,
            **fields,
        )
        runs.start(accepted.turn)
        frames = await followed(self.station, accepted.turn)
        return await ended(accepted.turn), frames

    async def retry(self, turn: Turn, mode: str = "again") -> tuple[Turn, list[Entry]]:
        """The same question again, or its cut answer gone on with."""
        return await self.ask(turn.question, replaces=turn.pk, mode=mode)


async def _no_run(record: TurnRecord) -> JourneyView | None:
    raise RuntimeError("Each run brings its own.")


async def _probe(texts: Sequence[str]) -> list[float]:
    return [0.5 for _ in texts]


async def _help_line(country: str) -> str:
    return f"Help for {country or 'everyone'}."


def plain_frames(frames: Sequence[Entry]) -> list[str]:
    """The frames as they can be compared: one a line, without ids, times and figures, deltas in a row as one."""
    lines: list[dict[str, Any]] = []
    for frame in frames:
        data = dict(frame.data)
        if "timings" in data:
            data["timings"] = sorted(data["timings"])
        data |= {name: "<figure>" for name in ("confidence", "clarity") if name in data}
        if frame.type == "answer.delta" and lines and lines[-1]["type"] == "answer.delta":
            lines[-1]["data"]["text"] += data["text"]
            continue
        lines.append({"type": frame.type, "data": data})
    return [_without_ids(json.dumps(line, ensure_ascii=False, sort_keys=True)) for line in lines]


def _without_ids(line: str) -> str:
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>", line)


def compare(name: str, frames: Sequence[Entry]) -> None:
    """Compare with the golden file; with GOLDEN=write in the environment it is written instead."""
    path = GOLDEN / f"{name}.jsonl"
    text = "\n".join(plain_frames(frames)) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
