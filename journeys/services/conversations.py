"""A member's conversations, and what they thought of an answer."""

from django.core.exceptions import ValidationError
from django.db import transaction

from journeys.errors import InvalidValue, NotFound, RunInProgress, StepNotPossible
from journeys.models import TITLE_MAX_CHARACTERS, Conversation, Feedback, Member, Turn
from journeys.selectors import id_of, turn_get
from journeys.titles import one_line


def conversation_create(*, member: Member, title: str = "") -> Conversation:
    """Make a conversation; without a title its first question gives it one."""
    name = _clean_title(title)
    conversation = Conversation(member=member, title=name, title_edited=bool(name))
    _check(conversation)
    conversation.save(force_insert=True)
    conversation.refresh_from_db()
    return conversation


def conversation_rename(*, member: Member, conversation_id: object, title: str) -> Conversation:
    """Give a conversation a title of the member's own. Raises NotFound, InvalidValue for a blank one."""
    name = _clean_title(title)
    if not name:
        raise InvalidValue("A title cannot be blank.")
    with transaction.atomic():
        conversation = _locked(member, conversation_id)
        conversation.title = name
        conversation.title_edited = True
        _check(conversation)
        conversation.save(update_fields=["title", "title_edited"])
    return conversation


def conversation_delete(*, member: Member, conversation_id: object) -> None:
    """Delete a conversation with all its turns. Raises NotFound, and RunInProgress while a turn is not finished.

    A live run is not deleted from under its followers: it is stopped first, then deleted.
    """
    with transaction.atomic():
        conversation = _locked(member, conversation_id)
        running = Turn.objects.filter(conversation=conversation, status__in=Turn.UNFINISHED).first()
        if running is not None:
            raise RunInProgress(running.id)
        conversation.delete()


def feedback_give(*, member: Member, turn_id: object, rating: str, reason: str = "") -> Feedback:
    """Keep what a member thought of a finished turn; a later word replaces an earlier one. Raises NotFound."""
    turn = turn_get(member=member, turn_id=turn_id)
    if not turn.finished:
        raise StepNotPossible("This answer is not finished yet.")
    feedback = Feedback(turn=turn, rating=rating, reason=reason.strip())
    _check(feedback)
    given, _ = Feedback.objects.update_or_create(
        turn=turn, defaults={"rating": feedback.rating, "reason": feedback.reason}
    )
    return given


def _locked(member: Member, conversation_id: object) -> Conversation:
    conversation = Conversation.objects.select_for_update().filter(member=member, id=id_of(conversation_id)).first()
    if conversation is None:
        raise NotFound
    return conversation


def _clean_title(title: str) -> str:
    line = one_line(title)
    if len(line) > TITLE_MAX_CHARACTERS:
        raise InvalidValue(f"A title has at most {TITLE_MAX_CHARACTERS} characters.")
    return line


def _check(row: Conversation | Feedback) -> None:
    try:
        row.full_clean(exclude=["member", "turn"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        raise InvalidValue(" ".join(error.messages)) from error
