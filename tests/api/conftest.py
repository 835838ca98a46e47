"""Clients of the API."""

import pytest
from rest_framework.test import APIClient

from journeys.models import Conversation, Member
from journeys.services import conversation_create, member_create, stages_load


@pytest.fixture
def member(db: None) -> Member:
    """A member."""
    return member_create(email="ada@example.org", password="a-long-enough-one")


@pytest.fixture
def other(db: None) -> Member:
    """Another member."""
    return member_create(email="bea@example.org", password="a-long-enough-one")


@pytest.fixture
def conversation(member: Member) -> Conversation:
    """A conversation of `member`."""
    return conversation_create(member=member)


@pytest.fixture
def stages(db: None) -> None:
    """The five stages."""
    stages_load()


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
