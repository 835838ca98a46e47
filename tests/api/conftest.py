# ruff: noqa: F811 (fixtures of another folder come by import)
"""Clients of the API."""

import pytest
from rest_framework.test import APIClient

from journeys.models import Member
from tests.journeys.conftest import conversation, member, other, stages  # noqa: F401


def client_of(member: Member | None = None) -> APIClient:
    """A client of the API, signed in as this member."""
    client = APIClient(raise_request_exception=False)
    if member is not None:
        client.force_authenticate(member)
    return client


@pytest.fixture
def api(member: Member) -> APIClient:
    """A client signed in as `member`."""
    return client_of(member)
