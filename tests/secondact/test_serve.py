import json
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from journeys.models import Turn
from tests.secondact.conftest import Asker, Served, until


def ask(server: Served, asker: Asker) -> httpx.Response:
    address = f"{server.address}/api/v1/conversations/{asker.conversation.pk}/turns"
    return httpx.post(address, json={"question": "What is a second act?"}, headers=asker.headers, timeout=20)


@contextmanager
def followed(server: Served, asker: Asker, turn: str) -> Iterator[Iterator[dict[str, object]]]:
    """The frames of a turn as an app gets them; a stream that is cut instead of ended raises."""
    with httpx.stream(
        "GET", f"{server.address}/api/v1/turns/{turn}/events", headers=asker.headers, timeout=60
    ) as answer:
        assert answer.status_code == 200, answer.read()
        yield (json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:"))


def upto(frames: Iterator[dict[str, object]], kind: str) -> dict[str, object]:
    return next(frame for frame in frames if frame["type"] == kind)


def close_code(watching: ClientConnection) -> int | None:
    """The code with which the server closes the socket."""
    with suppress(ConnectionClosed):
        while True:
            watching.recv(timeout=60)
    return watching.close_code


def test_until_the_clients_are_open_it_is_not_ready_and_requests_wait(played: Callable[..., Served]) -> None:
    server = played(PLAYED_COLD="1")
    until(lambda: server.status("/livez") == 200)
    with ThreadPoolExecutor() as pool:
        early = pool.submit(server.status, "/")
        assert httpx.get(f"{server.address}/readyz").json()["status"] == "warming"
        assert not early.done()
        server.process.send_signal(signal.SIGUSR2)
        assert early.result() == 200
    until(lambda: server.status("/readyz") == 200)


def test_a_client_that_cannot_be_opened_ends_the_process_with_1(played: Callable[..., Served]) -> None:
    server = played(REDIS_URL="redis://127.0.0.1:1/0")
    _, told = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert "The start failed" in told


def test_a_port_that_is_taken_ends_the_process_with_1(played: Callable[..., Served]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = played(taken.getsockname()[1])
        _, told = server.process.communicate(timeout=60)
    assert server.process.returncode == 1
    assert "PORT cannot be listened on" in told


def test_at_sigterm_a_run_ends_in_peace_and_new_ones_are_refused(played: Callable[..., Served], asker: Asker) -> None:
    server = played(DRAIN_SECONDS="60")
    until(lambda: server.status("/readyz") == 200)
    turn = ask(server, asker).json()["id"]
    with followed(server, asker, turn) as frames:
        upto(frames, "answer.delta")
        server.process.terminate()
        until(lambda: server.status("/readyz") == 503)
        assert ask(server, asker).status_code == 503
        server.process.send_signal(signal.SIGUSR1)
        assert upto(frames, "turn.done")["data"]["status"] == "answered"  # type: ignore[index]
    assert server.process.wait(timeout=60) == 0
    assert Turn.objects.get(pk=turn).answer == "A second act."


def test_a_run_that_outlasts_the_drain_is_interrupted_and_its_followers_end_clean(
    played: Callable[..., Served], asker: Asker
) -> None:
    server = played(DRAIN_SECONDS="0.5")
    until(lambda: server.status("/readyz") == 200)
    turn = ask(server, asker).json()["id"]
    socket_address = f"ws://127.0.0.1:{server.port}/ws/conversations/{asker.conversation.pk}/"
    with connect(socket_address, additional_headers=asker.headers) as watching:
        with followed(server, asker, turn) as frames:
            upto(frames, "answer.delta")
            server.process.terminate()
            assert upto(frames, "turn.failed")["data"]["status"] == "interrupted"  # type: ignore[index]
            assert list(frames) == []
        assert close_code(watching) == 4012
    assert server.process.wait(timeout=60) == 0
    assert Turn.objects.get(pk=turn).answer == "A second "
