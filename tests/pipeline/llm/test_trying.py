"""Asking a provider again."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from corpus.breaker import Breaker
from pipeline.errors import ModelUnavailable
from pipeline.llm.claude_errors import failure_of
from pipeline.llm.model_names import ModelNames
from pipeline.llm.trying import (
    LONGEST_WAIT,
    AttemptFailed,
    Limits,
    NameUnknown,
    NoUse,
    pause_after,
    retry_after_of,
    tried,
)

LIMITS = Limits(connect=1.0, attempt=5.0, total=10.0, tries=3)


def failing(*failures: AttemptFailed) -> tuple[Callable[[str], Awaitable[str]], list[str]]:
    """An attempt that fails in these ways, then answers; and the names it was asked by."""
    left, asked = list(failures), []

    async def attempt(name: str) -> str:
        asked.append(name)
        if left:
            raise left.pop(0)
        return f"by {name}"

    return attempt, asked


def breaker() -> Breaker:
    return Breaker(clock=lambda: 0.0, threshold=1)


async def test_a_passing_failure_is_tried_again() -> None:
    attempt, asked = failing(AttemptFailed("once", retry_after=0.0))

    assert await tried(attempt, names=ModelNames(["a"]), breaker=breaker(), limits=LIMITS) == "by a"
    assert asked == ["a", "a"]


async def test_an_unknown_name_costs_no_try_and_is_remembered() -> None:
    names = ModelNames(["old", "older", "new"])
    attempt, asked = failing(NameUnknown("404"), NameUnknown("404"))

    assert await tried(attempt, names=names, breaker=breaker(), limits=LIMITS) == "by new"
    assert asked == ["old", "older", "new"]
    assert (names.current, names.gone) == ("new", ("old", "older"))
    assert str(names) == "new (old, older not found)"


async def test_when_every_name_is_gone_all_count_again_later() -> None:
    names = ModelNames(["old"])
    attempt, _ = failing(NameUnknown("404"))
    with pytest.raises(ModelUnavailable):
        await tried(attempt, names=names, breaker=breaker(), limits=LIMITS)

    assert names.current == "old"
    assert names.gone == ()


async def test_an_open_breaker_is_not_asked_past() -> None:
    guard = breaker()
    guard.failed()
    attempt, asked = failing()
    with pytest.raises(ModelUnavailable):
        await tried(attempt, names=ModelNames(["a"]), breaker=guard, limits=LIMITS)

    assert asked == []


@pytest.mark.parametrize(
    ("failures", "opens"),
    [
        ([AttemptFailed("x", retry_after=0.0)] * 3, True),
        ([AttemptFailed("x", retry_after=LONGEST_WAIT + 1)], True),
        ([NoUse("bad request")], False),
        ([NoUse("bad key", blames=True)], True),
    ],
)
async def test_only_what_the_provider_is_to_blame_for_opens_the_breaker(
    failures: list[AttemptFailed], opens: bool
) -> None:
    guard = breaker()
    attempt, asked = failing(*failures)
    with pytest.raises(ModelUnavailable):
        await tried(attempt, names=ModelNames(["a"]), breaker=guard, limits=LIMITS)

    assert guard.is_open is opens
    assert len(asked) == len(failures)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_only_a_sane_pause_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_of(headers) == seconds


def test_a_pause_may_be_a_date() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=30)
    found = retry_after_of({"retry-after": format_datetime(soon, usegmt=True)})

    assert found is not None
    assert 20 < found <= 30
    assert retry_after_of({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_pauses_grow_and_too_long_a_one_is_none() -> None:
    assert 0.25 <= (pause_after(1, None) or 0) < (pause_after(3, None) or 0) <= 1.5
    assert pause_after(1, LONGEST_WAIT) == LONGEST_WAIT
    assert pause_after(1, LONGEST_WAIT + 0.1) is None


@pytest.mark.parametrize(
    ("status", "kind", "failure"),
    [
        (404, "not_found_error", NameUnknown),
        (410, "", NameUnknown),
        (429, "rate_limit_error", AttemptFailed),
        (500, "api_error", AttemptFailed),
        (529, "overloaded_error", AttemptFailed),
        (200, "overloaded_error", AttemptFailed),
        (200, "invalid_request_error", NoUse),
        (400, "invalid_request_error", NoUse),
        (401, "authentication_error", NoUse),
        (413, "request_too_large", NoUse),
    ],
)
def test_each_status_and_type_has_its_meaning(status: int, kind: str, failure: type[AttemptFailed]) -> None:
    assert type(failure_of(status, kind, {})) is failure


def test_a_refused_key_blames_the_provider_and_a_bad_request_does_not() -> None:
    refused, bad = failure_of(401, "", {}), failure_of(400, "", {})
    assert isinstance(refused, NoUse)
    assert isinstance(bad, NoUse)
    assert (refused.blames, bad.blames) == (True, False)


def test_without_a_name_there_are_no_models() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ModelNames([])
