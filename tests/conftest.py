"""What all tests share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError
from django.core.management.commands.flush import Command as Flush
from django.db import OperationalError
from pytest_django import DjangoDbBlocker, Settings


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """The real hasher takes half a second a password, on purpose."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    """Rates are counted in the cache: no test pays for another's calls."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def no_space_tables(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """After a test with real transactions the tables are emptied, which a space's table would stand in the way of."""
    marker = request.node.get_closest_marker("django_db")
    real = "transactional_db" in request.fixturenames or (marker is not None and marker.kwargs.get("transaction"))
    if not real:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from corpus.models.spaces import spaces_drop_all

    with django_db_blocker.unblock():
        spaces_drop_all()


@pytest.fixture(scope="session", autouse=True)
def emptied_in_the_end() -> Iterator[None]:
    """A server that is still at something can get in the way of emptying the tables: then it is tried again."""
    empty = Flush.handle

    def patiently(self: Flush, **options: Any) -> None:
        for left in reversed(range(_TRIES)):
            try:
                empty(self, **options)
                return
            except CommandError as error:
                if not left or not isinstance(error.__cause__, OperationalError):
                    raise

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Flush, "handle", patiently)
        yield


_TRIES = 5
