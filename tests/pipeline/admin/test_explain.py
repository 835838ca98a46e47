# ruff: noqa: F811 (fixtures of another folder come by import)
from dataclasses import asdict
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse

from journeys import services
from journeys.models import Conversation, Member, Profile, Turn
from pipeline.explaining import asked_by_turn, asked_first, explained
from pipeline.turn import IntentKind
from tests.corpus.conftest import Library, committed_library  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library(committed_library: Library) -> Library:
    committed_library.add("Courage", "courage to begin anew", "courage and patience", "bread")
    committed_library.add("Bakery", "bread and butter")
    committed_library.count()
    return committed_library


@pytest.fixture
def editor(client: Client) -> Member:
    services.stages_load()
    editor = services.member_create(email="editor@example.org", password="a-long-password")
    Member.objects.filter(pk=editor.pk).update(is_staff=True, is_superuser=True)
    editor.refresh_from_db()
    client.force_login(editor)
    return editor


def stored(member: Member, **fields: Any) -> tuple[Turn, list[str]]:
    """A finished turn of this member about courage, and the chunks its search finds."""
    asked = async_to_sync(asked_first)("What is courage?", IntentKind.CONCEPT_EXPLANATION)
    found, _ = async_to_sync(explained)(asked)
    intent = asked.intent
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(member=member),
        number=1,
        question="What is courage?",
        status="answered",
        intent=intent.kind,
        confidence=intent.confidence,
        clarity=intent.clarity,
        standalone_question=intent.standalone,
        search=asdict(intent.search),
        needs_retrieval=True,
        **fields,
    )
    return turn, [result.public_id for result in found.retrieval.rag_results]


def page(client: Client, **wanted: Any) -> str:
    return client.get(reverse("explain"), wanted).content.decode()


def test_a_question_is_explained_with_every_candidate(library: Library, editor: Member, client: Client) -> None:
    shown = page(client, question="What is courage?", intent="concept_explanation")
    assert "phase_1: 3 candidates" in shown
    assert "source 1" in shown


def test_a_document_that_was_expected_has_its_reason(library: Library, editor: Member, client: Client) -> None:
    bakery = library.documents["Bakery"]
    shown = page(client, question="What is courage?", intent="concept_explanation", document=bakery.pk)
    assert "What became of “Bakery”" in shown
    assert "No chunk of it matches" in shown


def test_a_stored_turn_gives_the_very_list_it_got(library: Library, editor: Member, client: Client) -> None:
    turn, sources = stored(editor)
    found, _ = async_to_sync(explained)(asked_by_turn(str(turn.pk), viewer=editor))
    assert [result.public_id for result in found.retrieval.rag_results] == sources
    assert "phase_1: 3 candidates" in page(client, turn=turn.pk)


def test_another_members_turn_is_shown_only_with_their_consent(
    library: Library, editor: Member, client: Client
) -> None:
    other = services.member_create(email="other@example.org", password="a-long-password")
    turn, _ = stored(other)
    assert "phase_1" not in page(client, turn=turn.pk)
    Profile.objects.update_or_create(member=other, defaults={"share_questions": True})
    assert "phase_1" in page(client, turn=turn.pk)
    Turn.objects.update(care=True)
    assert "phase_1" not in page(client, turn=turn.pk)


@pytest.mark.parametrize("wanted", [{}, {"question": "x" * 4_001}, {"question": "a", "turn": "no id"}])
def test_what_cannot_be_explained_is_said_and_is_no_error(
    library: Library, editor: Member, client: Client, wanted: dict[str, str]
) -> None:
    assert client.get(reverse("explain"), wanted).status_code == 200


def test_members_and_editors_without_the_right_do_not_see_it(library: Library, client: Client) -> None:
    services.stages_load()
    member = services.member_create(email="member@example.org", password="a-long-password")
    client.force_login(member)
    assert client.get(reverse("explain")).status_code == 302
    Member.objects.filter(pk=member.pk).update(is_staff=True)
    assert client.get(reverse("explain")).status_code == 403
