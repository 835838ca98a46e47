"""`manage.py search`: what the retrieval node finds for a question, with the ranks that brought it there."""

import asyncio
import json
from argparse import ArgumentParser
from dataclasses import asdict, replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import wiring
from corpus.embeddings import LocalEmbedder
from corpus.errors import CorpusError
from journeys.errors import JourneyError
from journeys.services import clean_question
from pipeline.intent_node import find_intent
from pipeline.llm.local import LocalModel
from pipeline.retrieval_node import retrieve
from pipeline.turn import GraphResult, Intent, IntentKind, MemberContext, RagResult, Retrieval, TurnRequest

EXCERPT = 100


class Command(BaseCommand):
    """Search as a first question of a conversation would."""

    help = "Print the two result sets of the retrieval node for a question, with ranks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("question")
        parser.add_argument("--intent", choices=[kind.value for kind in IntentKind], help="instead of the local one")
        parser.add_argument("--persona", default="", help="slug of a persona, for its chunks")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        """Search and print."""
        kind = IntentKind(options["intent"]) if options["intent"] else None
        try:
            question = clean_question(options["question"])
            intent, found = asyncio.run(_search(question, kind, options["persona"]))
        except (CorpusError, JourneyError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps({"intent": intent.kind, **asdict(found)}, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lines(intent, found)))


async def _search(question: str, kind: IntentKind | None, persona: str) -> tuple[Intent, Retrieval]:
    """The intent and what is retrieved for it, on clients of this loop."""
    request = TurnRequest(turn="", conversation="", number=1, question=question)
    local = LocalModel(LocalEmbedder())
    intent = await find_intent(request=request, model=local, local=local)
    if kind is not None:
        intent = replace(intent, kind=kind, confidence=1.0, needs_retrieval=True)
    await wiring.open_clients()
    try:
        texts = [(text.text, text.weight) for text in intent.search.texts]
        return intent, await retrieve(
            intent=intent,
            embedding=asyncio.ensure_future(wiring.query_embedder().embed_query(texts)),
            member=MemberContext(persona=persona or None),
            search=wiring.search_for_loop(),
            graph=wiring.graph_for_loop(),
        )
    finally:
        await wiring.close_clients()


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
