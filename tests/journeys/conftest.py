"""Members, conversations and stages for the tests of journeys."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from journeys.models import Conversation, Member, Turn
from journeys.services import conversation_create, member_create, stages_load, turn_accept, turn_begin, turn_finish


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


Ask = Callable[..., Turn]


@pytest.fixture
def ask() -> Ask:
    """Asks a question and ends it at once: ask(conversation, "Why?", status="answered", answer="So.")."""

    def asked(
        conversation: Conversation, question: str = "Why?", *, status: str = "answered", **fields: object
    ) -> Turn:
        replaces = fields.pop("replaces", None)
        turn = turn_accept(
            member=conversation.member, conversation_id=conversation.id, question=question, replaces=replaces
        ).turn
        owner = uuid4()
        turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
        finished = turn_finish(turn_id=turn.id, owner=owner, status=status, fields={"answer": "Because.", **fields})
        assert finished is not None
        return finished.turn

    return asked
