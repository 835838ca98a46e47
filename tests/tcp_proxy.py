"""A TCP proxy whose connections can be cut, held up or swallowed while a test looks on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class TcpProxy:
    """Passes bytes between its clients and one server. What it holds up goes on once it is let through again."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = asyncio.Event()
        self._open.set()
        self.port = 0
        self.accepted = 0
        self.sent = asyncio.Event()
        """Set when a client has sent something; cleared by the test."""

    async def listen(self) -> None:
        """Accept connections, on the same port as before."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """Accept no connections, and cut those there are: the server is down."""
        assert self._server is not None
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Reset every connection."""
        for writer in list(self._writers):
            writer.transport.abort()

    def hold(self) -> None:
        """Accept connections and let nothing of the server's through."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again."""
        self._open.set()

    async def close(self) -> None:
        """End everything."""
        await self.refuse()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        back_reader, back_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, back_writer}
        both = [self._pipe(reader, back_writer, answers=False), self._pipe(back_reader, writer, answers=True)]
        for pipe in both:
            task = asyncio.get_running_loop().create_task(pipe)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(65_536):
                    if answers:
                        await self._open.wait()
                    else:
                        self.sent.set()
                    writer.write(data)
                    await writer.drain()
        finally:
            self._writers.discard(writer)
            writer.transport.abort()


@asynccontextmanager
async def tcp_proxy(host: str, port: int) -> AsyncIterator[TcpProxy]:
    """A proxy that listens."""
    proxy = TcpProxy(host, port)
    await proxy.listen()
    try:
        yield proxy
    finally:
        await proxy.close()
