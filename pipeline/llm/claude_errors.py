"""What a failed attempt at Claude means (pure): by status and error type as the API names them."""

from collections.abc import Mapping

from pipeline.llm.trying import AttemptFailed, NameUnknown, NoUse, retry_after_of

_TRY_AGAIN_STATUS = frozenset({408, 409, 425, 429})
_TRY_AGAIN_TYPE = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
_NOT_OURS = frozenset({401, 402, 403})
_NOT_OURS_TYPE = frozenset({"authentication_error", "billing_error", "permission_error"})


def failure_of(status: int, kind: str, headers: Mapping[str, str]) -> AttemptFailed:
    """The failure that a reply of this status and error type means. An error within a stream comes with status 200."""
    reason = f"status {status}{f', {kind}' if kind else ''}"
    if status in (404, 410) or kind == "not_found_error":
        return NameUnknown(reason)
    if status >= 500 or status in _TRY_AGAIN_STATUS or kind in _TRY_AGAIN_TYPE:
        return AttemptFailed(reason, retry_after=retry_after_of(headers) if status != 200 else None)
    return NoUse(reason, blames=status in _NOT_OURS or kind in _NOT_OURS_TYPE)
