"""Runs a question, or a stored turn's search, through the retrieval node again and explains what came of it."""

import asyncio
from dataclasses import dataclass, replace

from asgiref.sync import sync_to_async

from corpus import wiring
from corpus.embeddings import LocalEmbedder, QueryVector
from corpus.errors import CorpusError, SearchUnavailable
from corpus.models import Document
from corpus.search import Search
from journeys.errors import NotFound
from journeys.models import Member, Turn
from journeys.selectors import turn_to_explain
from pipeline.explanation import DocumentFacts, Explanation, explain, why_not
from pipeline.intent_node import find_intent
from pipeline.intents import INTENT_TABLE, strategy_of
from pipeline.llm.local import LocalModel
from pipeline.phases import Plan, plan_of
from pipeline.recording import RecordingSearch
from pipeline.retrieval_node import retrieve
from pipeline.turn import Intent, IntentKind, MemberContext, SearchQuery, TurnRequest, WeightedText

ANYONE = MemberContext()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched: the intent and whom it is for."""

    intent: Intent
    member: MemberContext = ANYONE


async def asked_first(question: str, kind: IntentKind | None = None, persona: str = "") -> Asked:
    """A question as the first of a conversation, its intent found locally unless one is given."""
    request = TurnRequest(turn="", conversation="", number=1, question=question)
    local = LocalModel(LocalEmbedder())
    intent = await find_intent(request=request, model=local, local=local)
    if kind is not None:
        intent = replace(intent, kind=kind, confidence=1.0, needs_retrieval=True)
    return Asked(intent, MemberContext(persona=persona or None))


def asked_by_turn(turn_id: str, *, viewer: Member | None) -> Asked:
    """What a stored turn searched. Raises NotFound unless it is the viewer's own or of a member who consented."""
    turn = turn_to_explain(turn_id=turn_id, viewer=viewer)
    persona = getattr(getattr(turn.conversation.member, "profile", None), "persona_id", None)
    return Asked(intent_of(turn), MemberContext(persona=str(persona) if persona else None))


def intent_of(turn: Turn) -> Intent:
    """The intent as it was stored. Raises NotFound when the turn had come to none."""
    if not turn.search or turn.confidence is None:
        raise NotFound
    texts = tuple(WeightedText(one["text"], one["weight"]) for one in turn.search["texts"])
    return Intent(
        kind=IntentKind(turn.intent),
        confidence=turn.confidence,
        clarity=turn.clarity or 0.0,
        standalone=turn.standalone_question,
        search=SearchQuery(turn.search["keywords"], texts),
        concepts=tuple(turn.concepts),
        needs_retrieval=turn.needs_retrieval is not False,
    )


async def explained(asked: Asked, *, document: str = "") -> tuple[Explanation, tuple[str, ...]]:
    """The explanation, and what became of a named document. Uses the loop's clients, or opens them for this once.

    Raises SearchUnavailable, and NotFound for a document that is not there.
    """
    ours = False
    try:
        wiring.search_for_loop()
    except SearchUnavailable:
        await wiring.open_clients()
        ours = True
    try:
        return await _explained(asked, document)
    finally:
        if ours:
            await wiring.close_clients()


async def _explained(asked: Asked, document: str) -> tuple[Explanation, tuple[str, ...]]:
    recorded = RecordingSearch(wiring.search_for_loop())
    plan = plan_of(INTENT_TABLE[strategy_of(asked.intent.kind, asked.intent.confidence)])
    embedding: asyncio.Future[QueryVector] = asyncio.ensure_future(
        wiring.query_embedder().embed_query([(text.text, text.weight) for text in asked.intent.search.texts])
    )
    retrieval = await retrieve(
        intent=asked.intent,
        embedding=embedding,
        member=asked.member,
        search=recorded,
        graph=wiring.graph_for_loop(),
    )
    await recorded.read_all()
    explanation = explain(intent=asked.intent, plan=plan, retrieval=retrieval, recorded=recorded)
    reasons = await _reasons(document, plan, explanation, recorded) if document else ()
    return explanation, reasons


async def _reasons(document: str, plan: Plan, explanation: Explanation, recorded: RecordingSearch) -> tuple[str, ...]:
    facts = await sync_to_async(_facts)(document)
    nearest = await _nearest(recorded, recorded.query, document)
    return why_not(document, replace(facts, nearest=nearest), plan, explanation)


def _facts(document: str) -> DocumentFacts:
    """Raises NotFound."""
    found = Document.objects.filter(pk=document).first()
    if found is None:
        raise NotFound
    return DocumentFacts(found.title, found.status, found.scope, None)


async def _nearest(search: Search, query: QueryVector | None, document: str) -> float | None:
    """How near a document comes to the question, as far as there is a vector to tell."""
    if query is None:
        return None
    try:
        return await search.nearest_of(query, document)
    except CorpusError:
        return None
