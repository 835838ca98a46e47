"""What can go wrong with a member's conversations and journey."""


class JourneyError(Exception):
    """Something about a journey could not be done."""

    code = "journey_error"
    status = 500
    permanent = True

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class NotFound(JourneyError):
    """There is nothing of yours with this id."""

    code = "not_found"
    status = 404


class InvalidQuestion(JourneyError):
    """The question cannot be asked as it is."""

    code = "invalid_question"
    status = 400


class InvalidValue(JourneyError):
    """This value cannot be kept as it is."""

    code = "invalid"
    status = 400


class RunInProgress(JourneyError):
    """A question of this conversation is still being answered."""

    code = "run_in_progress"
    status = 409
    permanent = False

    def __init__(self, turn_id: object) -> None:
        super().__init__()
        self.turn_id = str(turn_id)


class IdempotencyMismatch(JourneyError):
    """This Idempotency-Key was used before with another body."""

    code = "idempotency_mismatch"
    status = 422


class StepNotPossible(JourneyError):
    """This step does not fit where the journey stands."""

    code = "conflict"
    status = 409


class InvitationGone(JourneyError):
    """This invitation is not open any more: it was accepted, revoked, or has expired."""

    code = "invitation_gone"
    status = 410
