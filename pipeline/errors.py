"""What can go wrong on a question's way to its answer."""


class PipelineError(Exception):
    """The question could not be answered."""

    code = "pipeline_error"
    status = 500
    permanent = False

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class ModelUnavailable(PipelineError):
    """The language model does not answer."""

    code = "model_unavailable"
    status = 503


class StreamBroken(PipelineError):
    """The answer broke off before its end."""

    code = "stream_broken"
    status = 502


class EmptyAnswer(PipelineError):
    """No answer came. Please try again."""

    code = "empty_answer"
    status = 502


class TryLater(PipelineError):
    """New questions cannot be taken at the moment. Please try again in a little while."""

    code = "try_later"
    status = 503


class Draining(TryLater):
    """The server is restarting. Please try again in a few seconds."""

    code = "draining"


class NoRunLoop(PipelineError):
    """No event loop is there to run a turn in."""

    code = "no_run_loop"
    status = 503


class LogUnavailable(PipelineError):
    """The event log does not answer."""

    code = "log_unavailable"
    status = 503


class UnknownEvent(PipelineError):
    """There is no event with this id in this turn."""

    code = "unknown_event"
    status = 400
    permanent = True


class NotSignedIn(PipelineError):
    """Please sign in."""

    code = "not_authenticated"
    status = 401
    permanent = True
