"""The local language model, which is none: rules, nearest samples, quotations and templates.

The embedded default, the fallback when a provider fails, and what most tests run on. It says of every answer that it
quotes word for word.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace

from corpus.embeddings import Embedder
from corpus.errors import EmbedderUnavailable
from pipeline.errors import ModelUnavailable
from pipeline.llm import question_rules as rules
from pipeline.llm.classifier import Classifier, Verdict, samples, verdict_without_vectors
from pipeline.llm.followups import Followup, clarification_answered, followed_up, topic_before
from pipeline.llm.model import AnswerRequest, SuggestionReply, SuggestionRequest
from pipeline.llm.pointing import points_away
from pipeline.llm.quoting import Quotation, chosen, quoted_answer, short_list
from pipeline.llm.templates import candidates_for
from pipeline.plain_text import SHORT_TEXT
from pipeline.turn import (
    AnswerEnd,
    AnswerPart,
    Delta,
    Intent,
    IntentKind,
    SearchQuery,
    StopReason,
    TurnRequest,
    WeightedText,
)
from pipeline.words import content_words, words_of

UNCLEAR = 0.3
SAME_TOPIC = 0.3
"""The likeness of two questions from which on they are about one topic; 19 of 20 pairs of samples lie under it."""
_SHORT_QUESTION = 6
_BEGINNING = 200
"""So many characters of a sentence are embedded: its time grows with its length."""
_PIECE = re.compile(r"(?:\s*\S+){1,4}\s*|\s+")
_REPLY = "You are welcome. I am here whenever you want to ask the library something."
_GREETING = "Hello! Ask me whatever is on your mind about your second act; I answer from the society's library."
_GREETINGS = frozenset(("hello", "hi", "hey", "hiya", "bonjour", "hallo", "hola", "morning", "afternoon", "evening"))


class LocalModel:
    """The LanguageModel that needs no provider.

    `named` finds names of concepts in a text, where there is a graph. `pace` is the seconds between two pieces of an
    answer: none unless somebody wants to watch a stream.
    """

    name = "local"

    def __init__(
        self, embedder: Embedder, named: Callable[[str], tuple[str, ...]] | None = None, *, pace: float = 0.0
    ) -> None:
        self._embedder = embedder
        self._classifier = Classifier(embedder)
        self._pace = pace
        self._named = named or (lambda _text: ())

    def warm(self) -> None:
        """Load and embed all it needs, before the first question. It computes; call it off the event loop."""
        self._classifier.warm()

    async def classify(self, request: TurnRequest, prompt: str) -> Intent:  # noqa: ARG002 (of the protocol)
        """What the member wants with the question, by rules and nearest samples."""
        question = request.question
        if request.answers is None and rules.is_small_talk(question):
            return _small_talk(question)
        request = replace(request, answers=clarification_answered(request))
        followup = followed_up(request, same_topic=await self._goes_on(request))
        verdict = await self._judge(_judged_by(request, followup))
        names = rules.two_referents(question, request.memory)
        readings = tuple(_meant(question, name) for name in names) or _meanings(question, followup)
        absent = _refers_to_absent(request)
        clarity = UNCLEAR if absent or readings else rules.clarity_of(followup.standalone)
        return Intent(
            kind=_kind(verdict, clarity),
            confidence=verdict.confidence,
            clarity=clarity,
            standalone=followup.standalone,
            search=followup.search,
            concepts=self._named(followup.standalone),
            readings=readings,
            refers_to_absent=absent,
        )

    async def answer(self, request: AnswerRequest) -> AsyncGenerator[AnswerPart, None]:
        """Whole sentences of the sources with their citations, in pieces."""
        if not request.needs_retrieval:
            greets = not _GREETINGS.isdisjoint(words_of(request.question))
            yield Delta(_GREETING if greets else _REPLY)
        else:
            if request.continue_from:
                yield Delta("\n\n")
            offset = len(request.continue_from) + (2 if request.continue_from else 0)
            listed = short_list(request.standalone, request.context)
            quotations = chosen(listed, await self._nearness(request.standalone, listed))
            for part in quoted_answer(quotations, request.context, offset=offset):
                for piece in _pieces(part):
                    yield piece
                    await asyncio.sleep(self._pace)
        yield AnswerEnd(StopReason.COMPLETE)

    async def suggest(self, request: SuggestionRequest) -> SuggestionReply:
        """Candidates from templates."""
        return SuggestionReply(candidates_for(request))

    async def ping(self) -> None:
        """Return when the embedder is there."""
        try:
            await asyncio.to_thread(self._embedder.ping)
        except EmbedderUnavailable as error:
            raise ModelUnavailable from error

    async def _nearness(self, question: str, listed: Sequence[Quotation]) -> list[float] | None:
        """How near each sentence is to the question; None when nothing can be embedded."""
        try:
            asked, *vectors = await self._embedder.embed([question, *(one.sentence[:_BEGINNING] for one in listed)])
        except EmbedderUnavailable:
            return None
        return [float(vector @ asked) for vector in vectors]

    async def _goes_on(self, request: TurnRequest) -> bool:
        """Whether a question of its own subject is near to one of those before it."""
        before = topic_before(request)
        if not before:
            return False
        try:
            asked, *earlier = await self._embedder.embed([request.question, *before])
        except EmbedderUnavailable:
            return False
        return max(float(vector @ asked) for vector in earlier) >= SAME_TOPIC

    async def _judge(self, question: str) -> Verdict:
        try:
            return await asyncio.to_thread(self._classifier.judge, question)
        except EmbedderUnavailable:
            return verdict_without_vectors(question)


def _pieces(part: AnswerPart) -> list[AnswerPart]:
    """A text in pieces of a few words, as a model would write it."""
    return [Delta(piece) for piece in _PIECE.findall(part.text)] if isinstance(part, Delta) else [part]


def _kind(verdict: Verdict, clarity: float) -> IntentKind:
    """The verdict's kind; an unclear question is a wish to look around only if it says so, not by being near to one."""
    wanders = verdict.kind is IntentKind.EXPLORATION and not verdict.cued
    return IntentKind.GENERAL if wanders and clarity <= UNCLEAR else verdict.kind


def _judged_by(request: TurnRequest, followup: Followup) -> str:
    """The words whose intent counts: a scrap such as "And sponsors?" wants what the previous question wanted."""
    if request.answers is not None:
        return followup.standalone
    if followup.repeats_intent and request.memory:
        return request.memory[-1].question
    return request.question


def _refers_to_absent(request: TurnRequest) -> bool:
    known = request.answers is not None or rules.has_subject(request.memory)
    if known or rules.wants_to_browse(request.question) or rules.asks_about_service(request.question):
        return False
    return points_away(request.question)


def _meant(question: str, name: str) -> str:
    """The question with what it means; what it means alone, where both would be cut."""
    meant = f"I mean the {name}."
    return f"{question} {meant}" if len(question) + 1 + len(meant) <= SHORT_TEXT else meant


def _meanings(question: str, followup: Followup) -> tuple[str, ...]:
    """The meanings of a short question's only subject, when that word has several here."""
    content = content_words(question)
    if followup.carries or len(content) != 1 or len(words_of(question)) > _SHORT_QUESTION:
        return ()
    known = samples()
    alone = known.ambiguous_bare.get(content[0], ()) if rules.asks_barely(question) else ()
    return known.ambiguous.get(content[0], ()) or alone


def _small_talk(question: str) -> Intent:
    return Intent(
        kind=IntentKind.GENERAL,
        confidence=1.0,
        clarity=1.0,
        standalone=question,
        search=SearchQuery("", (WeightedText(question),)),
        needs_retrieval=False,
        small_talk=True,
    )
