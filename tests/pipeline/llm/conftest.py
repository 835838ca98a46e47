"""A provider to talk to."""

from collections.abc import Iterator

import pytest

from benchmarks.provider import Provider


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that behaves until a test plays otherwise."""
    with Provider() as running:
        yield running
