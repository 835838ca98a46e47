"""The intent node: what the member wants with a question, and the question as it can be searched for."""

import asyncio
from dataclasses import replace

from pipeline.care import danger_in
from pipeline.errors import ModelUnavailable
from pipeline.leaks import recites
from pipeline.llm.model import LanguageModel
from pipeline.outgoing import without_links
from pipeline.prompts import Prompt, prompt_of
from pipeline.turn import Intent, IntentKind, SearchQuery, TurnRequest, WeightedText

MODEL_SECONDS = 1.5


async def find_intent(*, request: TurnRequest, model: LanguageModel, local: LanguageModel) -> Intent:
    """What the question asks for. Words of danger are answered for at once, without any model.

    The local classifier runs beside the model; its verdict counts, marked degraded, when that fails or takes 1.5 s.
    """
    if danger_in(request.question):
        return _danger(request)
    prompt = prompt_of("intent")
    if model is local:
        return replace(await local.classify(request, prompt.text), prompt_version=prompt.version)
    beside = asyncio.create_task(local.classify(request, prompt.text))
    try:
        try:
            async with asyncio.timeout(MODEL_SECONDS):
                intent = await model.classify(request, prompt.text)
        except (ModelUnavailable, TimeoutError):
            intent = replace(await beside, degraded=True)
    finally:
        beside.cancel()
        await asyncio.gather(beside, return_exceptions=True)
    return _bounded(replace(intent, prompt_version=prompt.version), request, prompt)


def _bounded(intent: Intent, request: TurnRequest, prompt: Prompt) -> Intent:
    """A model's verdict within what is allowed: a first question is passed on untouched, figures lie in 0 to 1.

    A rewrite goes to the member, so it holds no link, and neither it nor the readings recite the prompt.
    """
    first = not request.memory and request.answers is None
    rewritten = without_links(intent.standalone).strip()
    plain = request.question if first or not rewritten or recites(rewritten, prompt.text) else rewritten
    return replace(
        intent,
        confidence=min(1.0, max(0.0, intent.confidence)),
        clarity=min(1.0, max(0.0, intent.clarity)),
        standalone=plain,
        needs_retrieval=intent.needs_retrieval and not intent.care,
        readings=tuple(reading for reading in intent.readings if not recites(reading, prompt.text))[:4],
    )


def _danger(request: TurnRequest) -> Intent:
    question = request.question
    return Intent(
        kind=IntentKind.GENERAL,
        confidence=1.0,
        clarity=1.0,
        standalone=question,
        search=SearchQuery(keywords="", texts=(WeightedText(question),)),
        needs_retrieval=False,
        care=True,
    )
