"""Taking a question in and having it run: what `POST /turns`, a retry and the `ask` command share."""

import logging
from functools import partial

from django.db import transaction

from journeys import selectors, services
from journeys.errors import StepNotPossible
from journeys.models import Member, Turn
from pipeline import runs
from pipeline.errors import PipelineError

logger = logging.getLogger(__name__)


def turn_send(
    *,
    member: Member,
    conversation_id: object,
    question: str,
    answers: object = None,
    answer_anyway: bool = False,
    replaces: object = None,
    mode: str = "",
    idempotency_key: str | None = None,
) -> Turn:
    """Store a question as a turn and run it once it is committed; the turn a key made before is not run again.

    Raises what `journeys.services.turn_accept` does, and TryLater, Draining or NoRunLoop with nothing stored.
    """
    runs.check_open()
    with transaction.atomic():
        accepted = services.turn_accept(
            member=member,
            conversation_id=conversation_id,
            question=question,
            answers=answers,
            answer_anyway=answer_anyway,
            replaces=replaces,
            mode=mode,
            idempotency_key=idempotency_key,
        )
        if accepted.created:
            transaction.on_commit(partial(_start, accepted.turn))
    return selectors.turn_get(member=member, turn_id=accepted.turn.pk)


def turn_retry(*, member: Member, turn_id: object, mode: str = "again", idempotency_key: str | None = None) -> Turn:
    """Answer a finished turn's question in a new turn that replaces it; `continue` goes on where its text ends.

    Raises NotFound, StepNotPossible, and what `turn_send` does.
    """
    turn = selectors.turn_get(member=member, turn_id=turn_id)
    if not turn.finished:
        raise StepNotPossible("This answer is not finished yet.")
    if mode == "continue" and not (turn.answer and turn.status in Turn.MAY_RETRY):
        raise StepNotPossible("There is no unfinished answer to go on with.")
    return turn_send(
        member=member,
        conversation_id=turn.conversation_id,
        question=turn.question,
        answers=turn.answers_id,
        answer_anyway=turn.answer_anyway,
        replaces=turn.pk,
        mode=mode,
        idempotency_key=idempotency_key,
    )


def turn_stop(*, member: Member, turn_id: object) -> Turn:
    """Ask for a turn to be stopped, wherever it runs; a finished one stays as it is. Raises NotFound."""
    turn = services.turn_request_stop(member=member, turn_id=turn_id)
    if not turn.finished:
        transaction.on_commit(partial(runs.stop, turn))
    return turn


def _start(turn: Turn) -> None:
    """Start the run of a turn that is stored: if that fails it ends at once, with its question kept."""
    try:
        runs.start(turn)
    except PipelineError as error:
        logger.warning("Turn %s could not be started.", turn.pk, exc_info=True, extra={"turn": str(turn.pk)})
        fields = {"error_code": error.code, "error_message": str(error)}
        services.turn_finish(turn_id=turn.pk, owner=None, status=Turn.Status.FAILED, fields=fields, last_seq=1)
