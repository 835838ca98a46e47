"""A turn's body as it stands at this moment: of a turn under way, with what its log already holds."""

from typing import Any

from journeys import selectors
from journeys.models import Turn
from pipeline import runs
from pipeline.errors import PipelineError
from pipeline.run_log import body_so_far, unbroken


def live_body(turn: Turn) -> dict[str, Any]:
    """The body of `GET /turns/{id}`. Never to be called on an event loop."""
    body = selectors.turn_body(turn)
    if turn.finished:
        return body
    try:
        entries = unbroken(runs.read_log(str(turn.pk))) or ()
    except PipelineError:
        return body  # the text so far comes with the stream, or with the ending
    if not entries:
        return body
    if entries[-1].ends:
        turn.refresh_from_db()  # it ended since it was read
        return selectors.turn_body(turn)
    return body_so_far(body, entries)
