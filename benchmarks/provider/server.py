"""The server: a little HTTP/1.1 on a thread with a loop of its own, so that sync and async clients find it alike."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from benchmarks.provider import embeddings, messages
from benchmarks.provider.replies import Call, Reply

Play = Callable[[Call], Reply]


class Provider:
    """Answers until it is closed. `play` says how a node's calls are answered; `calls` holds what came.

    By default it behaves well: a sure verdict, an answer that cites every source, six suggestions, vectors.
    """

    def __init__(self, *, port: int = 0) -> None:
        self.calls: list[Call] = []
        self._plays: dict[str, Play] = {
            "intent": messages.intent_reply,
            "answer": messages.answer_reply,
            "suggestions": messages.suggestions_reply,
            "embeddings": embeddings.embeddings_reply,
            "models": messages.model_reply,
        }
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="provider", daemon=True)
        self._port = port
        self._connections: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._port}"

    def play(self, node: str, *replies: Reply | Play) -> None:
        """Answer this node's next calls with these replies, one each; the last one also all later calls."""
        queue: list[Reply | Play] = list(replies)

        def next_reply(call: Call) -> Reply:
            reply = queue.pop(0) if len(queue) > 1 else queue[0]
            return reply if isinstance(reply, Reply) else reply(call)

        self._plays[node] = next_reply

    def calls_of(self, node: str) -> Sequence[Call]:
        """The calls of a node so far."""
        return [call for call in self.calls if call.node == node]

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._run())
        self._loop.close()

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._one(reader, writer):
                    pass
        except asyncio.CancelledError:
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read a request and answer it; whether the connection lives on."""
        call = await _read(reader)
        self.calls.append(call)
        reply = self._plays[call.node](call)
        gone = asyncio.create_task(reader.read(1))
        sending = asyncio.create_task(_send(writer, call, reply))
        try:
            await asyncio.wait([gone, sending], return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                call.hung_up = True
                return False
            return await sending
        finally:
            call.ended_at = time.monotonic()
            for task in (gone, sending):
                task.cancel()
            await asyncio.gather(gone, sending, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> Call:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Call(method, path, headers, json.loads(body) if body else {}, time.monotonic())


async def _send(writer: asyncio.StreamWriter, call: Call, reply: Reply) -> bool:
    """Send the reply in chunks; whether the connection lives on."""
    await asyncio.sleep(reply.before)
    headers = {"transfer-encoding": "chunked", "connection": "keep-alive", **reply.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {reply.status} Reply\r\n{lines}\r\n".encode())
    left = reply.cut_at
    for step in reply.steps:
        if isinstance(step, float | int):
            await writer.drain()
            await asyncio.sleep(step)
            continue
        piece = step if left is None else step[:left]
        if piece:
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            call.first_piece_at = call.first_piece_at or time.monotonic()
            call.pieces_sent += 1
        if left is not None:
            left -= len(piece)
            if left <= 0:
                break
    if reply.cut_at is not None and not reply.cleanly:
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        return False
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True
