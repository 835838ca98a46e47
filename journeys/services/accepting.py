"""Taking a question in: it is stored before anything else happens to it."""

import hashlib
import json
import unicodedata
import uuid
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from journeys.errors import (
    IdempotencyMismatch,
    InvalidQuestion,
    InvalidValue,
    NotFound,
    RunInProgress,
    StepNotPossible,
)
from journeys.models import QUESTION_MAX_CHARACTERS, Conversation, Member, Turn
from journeys.selectors import id_of
from journeys.titles import title_from

MODES = ("", "again", "continue")
_KEY_MAX_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class AcceptedTurn:
    """A stored turn, and whether this very call made it."""

    turn: Turn
    created: bool


@dataclass(frozen=True, slots=True)
class _Request:
    """What a client sent, cleaned."""

    question: str
    answers: uuid.UUID | None
    answer_anyway: bool
    replaces: uuid.UUID | None
    mode: str
    key: str | None

    @property
    def hash(self) -> str:
        """The same for the same body, whatever the key."""
        body = [self.question, str(self.answers), self.answer_anyway, str(self.replaces), self.mode]
        return hashlib.sha256(json.dumps(body).encode()).hexdigest()


def turn_accept(
    *,
    member: Member,
    conversation_id: object,
    question: str,
    answers: object = None,
    answer_anyway: bool = False,
    replaces: object = None,
    mode: str = "",
    idempotency_key: str | None = None,
) -> AcceptedTurn:
    """Store a question as the next turn of the member's conversation.

    The same idempotency key with the same body gives the turn it made before, with another body raises
    IdempotencyMismatch. Raises NotFound, InvalidQuestion, InvalidValue for a key or mode that cannot be, RunInProgress
    while another turn of the conversation is not finished, and StepNotPossible to go on with a turn that was replaced.
    """
    request = _Request(
        question=clean_question(question),
        answers=_reference(answers),
        answer_anyway=answer_anyway,
        replaces=_reference(replaces),
        mode=_clean_mode(mode),
        key=_clean_key(idempotency_key),
    )
    with transaction.atomic():
        # Every acceptance of this conversation queues here: numbers, keys and "one run at a time" follow from it.
        conversation = (
            Conversation.objects.select_for_update(no_key=True).filter(member=member, id=id_of(conversation_id)).first()
        )
        if conversation is None:
            raise NotFound
        before = _accepted_before(conversation, request)
        if before is not None:
            return AcceptedTurn(turn=before, created=False)
        return AcceptedTurn(turn=_accept(conversation, request), created=True)


def clean_question(question: str) -> str:
    """The question with its edges trimmed and plain line ends. Raises InvalidQuestion."""
    if "\x00" in question or any("\ud800" <= char <= "\udfff" for char in question):
        raise InvalidQuestion("The question holds characters that are no text.")
    text = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not any(unicodedata.category(char)[0] not in "ZC" for char in text):
        raise InvalidQuestion("The question is empty.")
    if len(text) > QUESTION_MAX_CHARACTERS:
        raise InvalidQuestion(
            f"The question has {len(text):,} characters; at most {QUESTION_MAX_CHARACTERS:,} are possible."
        )
    return text


def _accepted_before(conversation: Conversation, request: _Request) -> Turn | None:
    """The turn that this key made before, if it did with the same body."""
    if request.key is None:
        return None
    turn = Turn.objects.filter(conversation=conversation, idempotency_key=request.key).first()
    if turn is not None and turn.request_hash != request.hash:
        raise IdempotencyMismatch
    return turn


def _accept(conversation: Conversation, request: _Request) -> Turn:
    """Store the turn; the caller holds the conversation's row."""
    running = Turn.objects.filter(conversation=conversation, status__in=Turn.UNFINISHED).first()
    if running is not None:
        raise RunInProgress(running.id)
    turn = Turn(
        conversation=conversation,
        number=conversation.turn_count + 1,
        question=request.question,
        answers=_clarified(conversation, request.answers),
        answer_anyway=request.answer_anyway,
        replaces=_latest_version(conversation, request.replaces),
        mode=request.mode,
        idempotency_key=request.key,
        request_hash=request.hash,
    )
    if request.mode == "continue" and turn.replaces_id != request.replaces:
        raise StepNotPossible("A newer version of this answer is there: go on with that one.")
    # The references were just read and the database holds the constraints; checking them again would only cost queries.
    turn.full_clean(exclude=["conversation", "answers", "replaces"], validate_unique=False, validate_constraints=False)
    turn.save(force_insert=True)
    conversation.turn_count = turn.number
    if not conversation.title and not conversation.title_edited:
        conversation.title = title_from(request.question)
    conversation.changed_at = Now()
    conversation.save(update_fields=["turn_count", "title", "changed_at"])
    turn.refresh_from_db(fields=["accepted_at"])
    return turn


def _clarified(conversation: Conversation, turn_id: uuid.UUID | None) -> Turn | None:
    """The clarification that is answered. Raises InvalidQuestion when it is none of this conversation."""
    if turn_id is None:
        return None
    turn = Turn.objects.filter(conversation=conversation, id=turn_id, status=Turn.Status.CLARIFIED).first()
    if turn is None:
        raise InvalidQuestion("`answers` must name a turn of this conversation that asked back.")
    return turn


def _latest_version(conversation: Conversation, turn_id: uuid.UUID | None) -> Turn | None:
    """The newest version of the turn to replace, so that history shows one version however often it is replaced."""
    if turn_id is None:
        return None
    turn = Turn.objects.filter(conversation=conversation, id=turn_id).first()
    if turn is None:
        raise InvalidQuestion("`replaces` must name a finished turn of this conversation.")
    while newer := turn.replaced_by.order_by("-number").first():
        turn = newer
    return turn


def _reference(value: object) -> uuid.UUID | None:
    """An id out of the body; what is no id at all is refused like an unknown one."""
    if value is None or value == "":
        return None
    try:
        return id_of(value)
    except NotFound as error:
        raise InvalidQuestion("A turn is named by its id.") from error


def _clean_mode(mode: str) -> str:
    if mode not in MODES:
        raise InvalidValue("`mode` must be again or continue.")
    return mode


def _clean_key(key: str | None) -> str | None:
    if not key:
        return None
    if len(key) > _KEY_MAX_CHARACTERS or not key.isprintable():
        raise InvalidValue(f"An Idempotency-Key has at most {_KEY_MAX_CHARACTERS} printable characters.")
    return key
