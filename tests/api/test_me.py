"""The profile and the journey over the API."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from corpus.models import Persona
from journeys.models import Member, Profile
from journeys.services import conversation_create, turn_accept, turn_begin, turn_finish

JOURNEY = "/api/v1/me/journey"


def ask(member: Member, times: int) -> None:
    """Ask this often and get an answer each time."""
    conversation = conversation_create(member=member)
    for _ in range(times):
        turn = turn_accept(member=member, conversation_id=conversation.id, question="Why?").turn
        owner = uuid4()
        turn_begin(turn_id=turn.id, owner=owner, lease_seconds=10)
        turn_finish(turn_id=turn.id, owner=owner, status="answered", fields={"answer": "So.", "intent": "general"})


def test_a_member_reads_and_changes_their_profile(api: APIClient, member: Member) -> None:
    Persona.objects.create(slug="late-founder", name="Late founder")
    changes = {"first_name": "Ada", "persona": "late-founder", "country": "gb", "share_questions": True}
    answer = api.patch("/api/v1/me", changes, format="json")
    assert answer.status_code == 200
    assert answer.json() == {
        "id": str(member.id),
        "email": "ada@example.org",
        "first_name": "Ada",
        "last_name": "",
        "stage": None,
        "persona": "late-founder",
        "country": "GB",
        "share_questions": True,
    }
    assert api.get("/api/v1/me").json() == answer.json()


def test_not_sure_is_an_answer(api: APIClient) -> None:
    Persona.objects.create(slug="late-founder", name="Late founder")
    api.patch("/api/v1/me", {"persona": "late-founder"}, format="json")
    assert api.patch("/api/v1/me", {"persona": None}, format="json").json()["persona"] is None


@pytest.mark.parametrize(
    "changes",
    [
        {"persona": "nobody"},
        {"persona": "a\x00b"},
        {"country": "1!"},
        {"email": "new@example.org"},
        {"is_staff": True},
        {"stage": "living"},
        {"share_questions": "perhaps"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(api: APIClient, member: Member, changes: dict[str, Any]) -> None:
    answer = api.patch("/api/v1/me", {"first_name": "Eve", **changes}, format="json")
    assert answer.status_code == 400
    member.refresh_from_db()
    assert (member.first_name, member.is_staff, member.email) == ("", False, "ada@example.org")


def test_a_member_without_a_profile_row_has_an_empty_one(api: APIClient) -> None:
    Profile.objects.all().delete()
    assert api.get("/api/v1/me").json()["country"] == ""
    assert api.get(JOURNEY).json() == {"stage": None, "proposal": None, "changes": []}


@pytest.mark.usefixtures("stages")
def test_a_proposal_is_seen_accepted_and_undone(api: APIClient, member: Member) -> None:
    ask(member, 3)
    proposal = api.get(JOURNEY).json()["proposal"]
    assert (proposal["after"], proposal["by_member"]) == ("looking-back", False)
    accepted = api.post(f"{JOURNEY}/accept", {"proposal": proposal["number"]}, format="json").json()
    assert (accepted["stage"]["slug"], accepted["proposal"]) == ("looking-back", None)
    undone = api.post(f"{JOURNEY}/undo").json()
    assert undone["stage"] is None
    assert [change["kind"] for change in undone["changes"]] == ["undone", "accepted", "proposed"]


@pytest.mark.usefixtures("stages")
def test_a_proposal_is_declined(api: APIClient, member: Member) -> None:
    ask(member, 3)
    declined = api.post(f"{JOURNEY}/decline").json()
    assert (declined["stage"], declined["proposal"]) == (None, None)


@pytest.mark.usefixtures("stages")
def test_a_member_says_where_they_stand(api: APIClient) -> None:
    assert api.post(f"{JOURNEY}/correct", {"stage": "exploring"}, format="json").json()["stage"]["name"] == "Exploring"
    assert api.post(f"{JOURNEY}/correct", {"stage": None}, format="json").json()["stage"] is None


@pytest.mark.parametrize("step", ["accept", "decline", "undo"])
def test_a_step_that_does_not_fit_is_a_conflict(api: APIClient, step: str) -> None:
    answer = api.post(f"{JOURNEY}/{step}")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize("body", [{}, {"stage": "nowhere"}, {"stage": "a\x00"}, {"stage": None, "by": "me"}])
def test_a_correction_that_says_nothing_possible_is_refused(api: APIClient, body: dict[str, Any]) -> None:
    assert api.post(f"{JOURNEY}/correct", body, format="json").status_code == 400


@pytest.mark.usefixtures("stages")
def test_the_stages_come_in_their_order(api: APIClient) -> None:
    stages = api.get("/api/v1/stages").json()["results"]
    assert [stage["slug"] for stage in stages] == ["looking-back", "letting-go", "exploring", "trying-out", "living"]
    assert all(stage["description"] for stage in stages)
