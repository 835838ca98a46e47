"""`manage.py search`: what the retrieval node finds for a question, with the ranks that brought it there."""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.errors import CorpusError
from journeys.errors import JourneyError
from journeys.services import clean_question
from pipeline.explaining import asked_by_turn, asked_first, explained
from pipeline.explanation import Explanation
from pipeline.turn import GraphResult, Intent, IntentKind, RagResult, Retrieval

EXCERPT = 100


class Command(BaseCommand):
    """Search as a first question of a conversation would."""

    help = "Print the two result sets of the retrieval node for a question, with ranks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("question", nargs="?", default="")
        parser.add_argument("--turn", help="instead of a question: a stored turn of a member who lets editors look")
        parser.add_argument("--explain", action="store_true", help="print every candidate and what became of it")
        parser.add_argument("--document", default="", help="with --explain: id of a document that was expected")
        parser.add_argument("--intent", choices=[kind.value for kind in IntentKind], help="instead of the local one")
        parser.add_argument("--persona", default="", help="slug of a persona, for its chunks")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        """Search and print."""
        kind = IntentKind(options["intent"]) if options["intent"] else None
        try:
            asked = (
                asked_by_turn(options["turn"], viewer=None)
                if options["turn"]
                else asyncio.run(asked_first(clean_question(options["question"]), kind, options["persona"]))
            )
            explanation, reasons = asyncio.run(explained(asked, document=options["document"]))
        except (CorpusError, JourneyError) as error:
            raise CommandError(str(error)) from error
        intent, found = explanation.intent, explanation.retrieval
        if options["json"]:
            shown = asdict(explanation) | {"document": reasons} if options["explain"] else asdict(found)
            self.stdout.write(json.dumps(shown | {"intent": intent.kind}, ensure_ascii=False))
            return
        self.stdout.write("\n".join(_lines(intent, found)))
        if options["explain"]:
            self.stdout.write("\n".join(_explained_lines(explanation, reasons)))


def _lines(intent: Intent, found: Retrieval) -> list[str]:
    """Both sets for people."""
    facts = f"intent {intent.kind} ({intent.confidence:.2f}), space {found.space or '-'}, covered {found.covered}"
    return [
        facts + (f", degraded: {', '.join(found.degraded)}" if found.degraded else ""),
        f"rag_results: {len(found.rag_results)}",
        *(_rag_line(place, result) for place, result in enumerate(found.rag_results, start=1)),
        f"graph_results: {len(found.graph_results)}",
        *(_graph_line(result) for result in found.graph_results),
    ]


def _rag_line(place: int, result: RagResult) -> str:
    """One chunk with its score and its rank in each channel."""
    ranks = f"vector {result.vector_rank or '-'}, keyword {result.keyword_rank or '-'}"
    kind = f"{result.authority}/{result.content_type}"
    excerpt = " ".join(result.content.split())[:EXCERPT]
    return f"{place:3} {result.rrf_score:.4f} {result.phase:11} {ranks:24} {kind} | {result.title} | {excerpt}"


def _graph_line(result: GraphResult) -> str:
    """One relationship or persona chunk."""
    if result.relationships:
        proof = f" (proof: {result.proof.title})" if result.proof else ""
        return f"    {result.score:4} {result.origin} {'; '.join(result.relationships)}{proof}"
    return f"    {result.score:4} {result.origin} persona: {', '.join(one.title for one in result.persona_context)}"


def _explained_lines(explanation: Explanation, reasons: Sequence[str]) -> list[str]:
    """Every candidate of every leg: its terms of the fused score, the score that orders, and what became of it."""
    lines = [f"floor {_number(explanation.floor)}, coverage line {_number(explanation.coverage)}"]
    for leg in explanation.legs:
        lines.append(f"{leg.name}: {len(leg.lines)} candidates, {leg.gone} no longer published")
        lines += [
            f"    {line.vector_term:.4f} + {line.keyword_term:.4f} = {line.fused:.4f}, order {line.ordering:.3f}"
            f" (vector {line.vector_rank or '-'} {_number(line.similarity)}, keyword {line.keyword_rank or '-'}"
            f" {_number(line.keyword_score)}) | {line.chunk.title}, {line.chunk.ordinal} | {line.fate}"
            for line in leg.lines
        ]
    return lines + [f"document: {reason}" for reason in reasons]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
