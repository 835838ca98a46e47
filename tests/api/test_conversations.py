"""Conversations over the API."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from journeys.models import Conversation, Member
from journeys.services import conversation_create, turn_accept, turn_finish
from tests.api.conftest import client_of

URL = "/api/v1/conversations"


def url_of(conversation: Conversation) -> str:
    return f"{URL}/{conversation.id}"


def test_a_conversation_is_made_and_read_again(api: APIClient) -> None:
    made = api.post(URL, {"title": "My plans"}, format="json")
    assert made.status_code == 201
    read = api.get(made.headers["Location"])
    assert read.json() == made.json()
    assert read.json()["title_edited"] is True


def test_an_empty_body_is_enough(api: APIClient) -> None:
    assert api.post(URL).status_code == 201


def test_an_unknown_field_is_refused_by_name(api: APIClient) -> None:
    answer = api.post(URL, {"titel": "x"}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"field": "titel", "code": "unknown_field", "detail": "There is no such field."}]
    assert not Conversation.objects.exists()


@pytest.mark.parametrize("title", ["a\x00b", "x" * 121, ["a"], {"a": 1}, 5, 1.5, True])
def test_a_title_that_cannot_be_stored_is_refused(api: APIClient, title: Any) -> None:
    answer = api.post(URL, {"title": title}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_lone_surrogate_in_a_title_is_refused(api: APIClient) -> None:
    answer = api.post(URL, '{"title": "a\\ud800"}', content_type="application/json")
    assert answer.status_code == 400


@pytest.mark.parametrize("body", ["{", "[" * 100_000, '{"title": NaN}', "\xff", "9" * 5_000])
def test_what_is_no_json_is_a_clear_error(api: APIClient, body: str) -> None:
    answer = api.post(URL, body.encode("latin-1"), content_type="application/json")
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_body_of_another_shape_is_a_clear_error(api: APIClient) -> None:
    for body in ("[]", '"x"', "7", "null"):
        answer = api.post(URL, body, content_type="application/json")
        assert answer.status_code in (201, 400)


def test_a_huge_body_is_refused_before_it_is_read(api: APIClient) -> None:
    answer = api.post(URL, b" " * 1_000_001, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_renaming_keeps_the_title(api: APIClient, conversation: Conversation) -> None:
    answer = api.patch(url_of(conversation), {"title": "  New\nname "}, format="json")
    assert (answer.status_code, answer.json()["title"]) == (200, "New name")


def test_deleting_while_a_turn_runs_says_which_one(api: APIClient, conversation: Conversation) -> None:
    turn = turn_accept(member=conversation.member, conversation_id=conversation.id, question="Why?").turn
    refused = api.delete(url_of(conversation))
    assert refused.status_code == 409
    assert refused.json()["code"] == "run_in_progress"
    assert refused.json()["events"] == f"/api/v1/turns/{turn.id}/events"
    turn_finish(turn_id=turn.id, owner=None, status="stopped", fields={})
    assert api.delete(url_of(conversation)).status_code == 204
    assert api.get(url_of(conversation)).status_code == 404


@pytest.mark.parametrize("verb", ["get", "patch", "delete"])
def test_a_foreign_conversation_answers_like_one_that_does_not_exist(
    conversation: Conversation, other: Member, verb: str
) -> None:
    call = getattr(client_of(other), verb)
    body = {"title": "Mine"} if verb == "patch" else None
    foreign = call(url_of(conversation), body, format="json")
    unknown = call(f"{URL}/{uuid4()}", body, format="json")
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content
    assert Conversation.objects.get(pk=conversation.pk).title == ""


def test_nobody_sees_the_conversations_of_another(conversation: Conversation, other: Member) -> None:
    assert client_of(other).get(URL).json()["results"] == []


def walk(api: APIClient, url: str) -> list[str]:
    """The ids of all pages."""
    ids: list[str] = []
    following: str | None = url
    while following:
        page = api.get(following).json()
        ids += [row["id"] for row in page["results"]]
        following = page["next"]
    return ids


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_pages_over_equal_times_neither_repeat_nor_lose_a_row(api: APIClient, member: Member, size: int) -> None:
    made = {str(conversation_create(member=member).id) for _ in range(5)}
    Conversation.objects.update(changed_at="2026-01-01T00:00:00Z")
    walked = walk(api, f"{URL}?page_size={size}")
    assert len(walked) == len(made)
    assert set(walked) == made


def test_the_latest_conversation_comes_first(api: APIClient, member: Member) -> None:
    first, second = conversation_create(member=member), conversation_create(member=member)
    turn_accept(member=member, conversation_id=first.id, question="Why?")
    assert walk(api, URL) == [str(first.id), str(second.id)]


def test_search_looks_at_titles_and_questions(api: APIClient, member: Member, conversation: Conversation) -> None:
    conversation_create(member=member, title="Courage")
    turn_accept(member=member, conversation_id=conversation.id, question="What is fear?")
    assert [row["title"] for row in api.get(f"{URL}?search=courage").json()["results"]] == ["Courage"]
    assert [row["id"] for row in api.get(f"{URL}?search=FEAR").json()["results"]] == [str(conversation.id)]


@pytest.mark.parametrize("query", ["search=a%00b", "search=" + "x" * 201, "cursor=%00", "cursor=cD1hYmM="])
def test_a_query_that_makes_no_sense_is_a_400(api: APIClient, query: str) -> None:
    answer = api.get(f"{URL}?{query}")
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
