import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from journeys.models import Member
from pipeline import wiring
from secondact import health
from secondact.health import LIFE, HealthAddresses, Phase, pings_ask
from tests.secondact.conftest import sent_by


async def well() -> None:
    pass


async def serving_adapters() -> dict[str, str]:
    return {"answers": "claude: claude-sonnet-4-5"}


async def broken() -> None:
    raise ConnectionRefusedError("postgres://user:secret@host")


@pytest.fixture
def pings(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], Awaitable[None]]]:
    found: dict[str, Callable[[], Awaitable[None]]] = {"postgres": well, "redis": well, "model": well}
    monkeypatch.setattr(wiring, "pings", lambda: found)
    monkeypatch.setattr(wiring, "adapters", serving_adapters)
    return found


@pytest.fixture(autouse=True)
def serving() -> Iterator[None]:
    yield
    LIFE.phase = Phase.SERVING


async def answer(path: str) -> tuple[int, dict[str, object]]:
    async def nothing_else(scope: object, receive: object, send: object) -> None:
        raise AssertionError("health is answered before everything else")

    start, body = await sent_by(HealthAddresses(nothing_else), path=path)
    return start["status"], json.loads(body["body"])


async def test_a_process_that_answers_is_alive(pings: object) -> None:
    LIFE.phase = Phase.DRAINING
    assert await answer("/livez") == (200, {"status": "alive"})


async def test_it_is_ready_and_names_every_dependency(pings: object) -> None:
    assert await answer("/readyz") == (
        200,
        {
            "status": "ready",
            "dependencies": {"postgres": "ok", "redis": "ok", "model": "ok", "mail": "configured"},
            "adapters": {"answers": "claude: claude-sonnet-4-5"},
        },
    )


@pytest.mark.parametrize("name", ["postgres", "redis"])
async def test_without_what_it_needs_it_is_not_ready_and_tells_no_secret(
    pings: dict[str, Callable[[], Awaitable[None]]], name: str
) -> None:
    pings[name] = broken
    status, body = await answer("/readyz")
    assert (status, body["status"]) == (503, "unavailable")
    others = {"postgres": "ok", "redis": "ok", "model": "ok", "mail": "configured"}
    assert body["dependencies"] == others | {name: "ConnectionRefusedError"}


async def test_it_says_that_mail_goes_nowhere(pings: object, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "secondact.mail.TerminalBackend"
    status, body = await answer("/readyz")
    assert (status, body["dependencies"]["mail"]) == (200, "EMAIL_URL is not set: mail is only written to the log")  # type: ignore[index]


async def test_without_what_has_a_substitute_it_is_ready(pings: dict[str, Callable[[], Awaitable[None]]]) -> None:
    pings["model"] = broken
    assert (await answer("/readyz"))[0] == 200


@pytest.mark.parametrize("phase", [Phase.WARMING, Phase.DRAINING])
async def test_before_and_after_its_time_it_is_not_ready(pings: object, phase: Phase) -> None:
    LIFE.phase = phase
    assert await answer("/readyz") == (503, {"status": phase.value, "dependencies": {}})


async def test_a_dependency_that_is_silent_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(health, "PING_SECONDS", 0.01)
    assert await pings_ask({"redis": silent}) == {"redis": "no answer within 0.01 s"}


@pytest.mark.django_db
def test_the_page_of_dependencies_is_for_staff(client: Client, pings: object) -> None:
    member = Member.objects.create(email="member@example.org")
    client.force_login(member)
    assert client.get("/admin/dependencies/").status_code == 302
    member.is_staff = True
    member.save()
    page = client.get("/admin/dependencies/")
    assert page.status_code == 200
    assert "postgres" in page.content.decode()
    assert "claude: claude-sonnet-4-5" in page.content.decode()
