"""How well intents are told and unclear questions caught:
`python -m benchmarks.intent --data FILE [--model NAME] [--json]`.

FILE holds labelled questions (benchmarks/questions.py). Each goes through the intent node and the gate, its history
replayed. Accuracy counts the clear questions: strict is the label, lenient the label or another that is acceptable.
The gate should catch the unclear ones and hold up none of the clear ones. Needs no server.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.models import LOCAL, Models, models_for
from benchmarks.questions import Labelled, questions_read
from benchmarks.replaying import Judged, Replay
from pipeline.turn import IntentKind


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, what was made of it, and in how many milliseconds."""

    question: Labelled
    judged: Judged
    took_ms: float

    @property
    def strict(self) -> bool:
        """Whether the intent is the label."""
        return self.judged.intent.kind is self.question.intent

    @property
    def lenient(self) -> bool:
        """Whether the intent is the label or acceptable."""
        return self.strict or self.judged.intent.kind in self.question.acceptable


async def outcomes_of(questions: Sequence[Labelled], models: Models) -> list[Outcome]:
    """Every question put to the product, one after the other."""
    found = []
    for question in questions:
        replay = Replay(models)
        began = time.perf_counter()
        verdict = await replay.judged(question.text, question.history)
        found.append(Outcome(question, verdict, (time.perf_counter() - began) * 1000))
    return found


def report_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures, in plain JSON values."""
    clear = [one for one in outcomes if not one.question.needs_clarification]
    unclear = [one for one in outcomes if one.question.needs_clarification]
    small_talk = [one for one in clear if one.question.small_talk]
    times = [one.took_ms for one in outcomes]
    return {
        "questions": len(outcomes),
        "accuracy_strict": _share([one.strict for one in clear]),
        "accuracy_lenient": _share([one.lenient for one in clear]),
        "gate_caught": _count([one.judged.asked is not None for one in unclear]),
        "gate_held": _count([one.judged.asked is not None for one in clear]),
        "small_talk_known": _count([one.judged.intent.small_talk for one in small_talk]),
        "small_talk_wrongly": _count([one.judged.intent.small_talk for one in outcomes if not one.question.small_talk]),
        "care": sorted(one.question.id for one in outcomes if one.judged.intent.care),
        "degraded": sum(one.judged.intent.degraded for one in outcomes),
        "intents": {kind.value: _of_kind(clear, kind) for kind in IntentKind},
        "rules": dict(Counter(one.judged.asked.rule for one in outcomes if one.judged.asked)),
        "milliseconds": dict(zip(("p50", "p95"), _percentiles(times), strict=True)),
    }


def _of_kind(clear: Sequence[Outcome], kind: IntentKind) -> dict[str, Any]:
    rows = [one for one in clear if one.question.intent is kind]
    taken_for = Counter(one.judged.intent.kind.value for one in rows if not one.lenient)
    return {
        "questions": len(rows),
        "strict": _share([one.strict for one in rows]),
        "lenient": _share([one.lenient for one in rows]),
        "taken_for": dict(taken_for.most_common()),
    }


def _share(hits: Sequence[bool]) -> float | None:
    return round(sum(hits) / len(hits), 4) if hits else None


def _count(hits: Sequence[bool]) -> dict[str, int]:
    return {"n": sum(hits), "of": len(hits)}


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    if len(times) < 2:
        return (round(sum(times), 1),) * 2
    points = quantiles(times, n=100, method="inclusive")
    return round(points[49], 1), round(points[94], 1)


def table_of(report: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{'intent':22}{'questions':>10}{'strict':>8}{'lenient':>9}  taken for"]
    for kind, row in report["intents"].items():
        taken = ", ".join(f"{name} {count}" for name, count in row["taken_for"].items())
        lines.append(f"{kind:22}{row['questions']:>10}{_figure(row['strict']):>8}{_figure(row['lenient']):>9}  {taken}")
    lines.append(
        f"{'all that are clear':22}{report['gate_held']['of']:>10}"
        f"{_figure(report['accuracy_strict']):>8}{_figure(report['accuracy_lenient']):>9}"
    )
    for name, words in _COUNTED.items():
        lines.append(f"{words}: {report[name]['n']} of {report[name]['of']}")
    lines.append(f"taken for danger: {', '.join(report['care']) or 'none'}")
    lines.append(f"a question takes {report['milliseconds']['p50']} ms (p95 {report['milliseconds']['p95']})")
    return "\n".join(lines)


_COUNTED = {
    "gate_caught": "unclear questions caught by the gate",
    "gate_held": "clear questions held up by it",
    "small_talk_known": "small talk known as such",
    "small_talk_wrongly": "questions taken for small talk",
}


def _figure(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def main() -> int:
    """Print the figures; 2 when the file or the model cannot be used."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default=LOCAL, help="local, or package.module:factory of another LanguageModel")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        questions = questions_read(options.data)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    report = asyncio.run(_measured(questions, options.model))
    print(json.dumps(report) if options.json else table_of(report))
    return 0


async def _measured(questions: Sequence[Labelled], name: str) -> dict[str, Any]:
    async with models_for(name) as models:
        return {"model": models.intent.name, **report_of(await outcomes_of(questions, models))}


if __name__ == "__main__":
    sys.exit(main())
