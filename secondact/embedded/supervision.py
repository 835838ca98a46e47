"""Keeping processes alive with the package `supervisor`: its configuration, its start, and talking to it."""

import contextlib
import http.client
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import xmlrpc.client
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from supervisor.xmlrpc import SupervisorTransport

from secondact.embedded.account import Account
from secondact.embedded.processes import Record, end, process_of, record_read

# The name of a Unix socket has to fit into 108 bytes.
LONGEST_SOCKET = 100
SOCKET_FOLDER = "secondact-socket-"
RPC_FACTORY = "supervisor.rpcinterface:make_main_rpcinterface"


@dataclass(frozen=True, slots=True)
class Program:
    """A process to keep alive. Programs are stopped one by one in the reverse of their order."""

    name: str
    argv: Sequence[str]
    stop_signal: str = "TERM"
    stop_seconds: float = 10
    first: bool = False
    lock_file: Path | None = None
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Supervision:
    """The supervisor of a home folder; `root` is the folder of manage.py."""

    home: Path
    root: Path

    @property
    def run(self) -> Path:
        """Records, configuration and socket."""
        return self.home / "run"

    @property
    def logs(self) -> Path:
        """What the programs print, a file each."""
        return self.home / "log"

    def record(self, name: str) -> Path:
        """Where a program leaves its record."""
        return self.run / f"{name}.json"

    def start(self, programs: Sequence[Program]) -> subprocess.Popen[bytes]:
        """Start the supervisor with the programs marked `first`; it and they are apart from our terminal."""
        for folder in (self.run, self.logs):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        socket = self._socket_make()
        configuration = self.run / "supervisord.conf"
        configuration.write_text(self._configuration(programs, socket))
        supervisord = [sys.executable, "-m", "supervisor.supervisord", "-c", str(configuration)]
        argv = [*self._launch("supervisor", "TERM"), "--", *supervisord]
        return subprocess.Popen(  # noqa: S603  (our own argv)
            argv, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )

    def program_start(self, name: str) -> None:
        """Start a program that waited for its turn."""
        with self._proxy() as proxy:
            proxy.supervisor.startProcess(name, False)

    def answers(self) -> bool:
        """Whether the supervisor takes commands."""
        unreachable = (OSError, http.client.HTTPException, xmlrpc.client.Error)
        with contextlib.suppress(*unreachable), self._proxy() as proxy:
            proxy.supervisor.getState()
            return True
        return False

    def _proxy(self) -> xmlrpc.client.ServerProxy:
        socket = (self.run / "socket").read_text()
        return xmlrpc.client.ServerProxy("http://up", transport=SupervisorTransport(serverurl=f"unix://{socket}"))

    def alive(self, name: str) -> bool:
        """Whether the program's recorded process lives."""
        record = record_read(self.record(name))
        return record is not None and process_of(record) is not None

    def end_left_over(self, programs: Sequence[Program]) -> bool:
        """End what a killed run left alive: its supervisor first, which stops the rest in order if it still can.

        Returns whether there was anything.
        """
        patience = sum(program.stop_seconds for program in programs) + 10
        found = self._end("supervisor", "TERM", patience)
        for program in reversed(programs):
            found = self._end(program.name, program.stop_signal, program.stop_seconds) or found
        return found

    def _end(self, name: str, stop_signal: str, patience: float) -> bool:
        record: Record | None = record_read(self.record(name))
        return record is not None and end(record, stop_signal=signal.Signals[f"SIG{stop_signal}"], patience=patience)

    def _socket_make(self) -> str:
        """Choose the place of the socket, in the home folder if its name fits, and note it for others."""
        noted = self.run / "socket"
        if noted.exists() and (earlier := Path(noted.read_text()).parent).name.startswith(SOCKET_FOLDER):
            shutil.rmtree(earlier, ignore_errors=True)
        socket = str(self.run / "supervisor.sock")
        if len(socket.encode()) > LONGEST_SOCKET:
            socket = str(Path(tempfile.mkdtemp(prefix=SOCKET_FOLDER)) / "supervisor.sock")
        Path(socket).unlink(missing_ok=True)
        noted.write_text(socket)
        return socket

    def _launch(self, name: str, stop_signal: str) -> list[str]:
        return [sys.executable, "-m", "secondact.embedded.program", str(self.record(name)), stop_signal]

    def _configuration(self, programs: Sequence[Program], socket: str) -> str:
        as_root = ["user=root"] if os.geteuid() == 0 else []
        sections = {
            "supervisord": [
                "nodaemon=true",
                f"logfile={self.logs}/supervisor.log",
                f"pidfile={self.run}/supervisord.pid",
                f"childlogdir={self.logs}",
                *as_root,
            ],
            "unix_http_server": [f"file={socket}", "chmod=0700"],
            "rpcinterface:supervisor": [f"supervisor.rpcinterface_factory={RPC_FACTORY}"],
        }
        for priority, program in enumerate(programs):
            sections[f"program:{program.name}"] = self._program(program, priority)
        return "\n".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())

    def _program(self, program: Program, priority: int) -> list[str]:
        launch = self._launch(program.name, program.stop_signal)
        if program.lock_file:
            launch += ["--lock-file", str(program.lock_file)]
        if program.account:
            launch += ["--account", f"{program.account.uid}:{program.account.gid}"]
        return [
            f"command={shlex.join([*launch, '--', *program.argv])}",
            f"directory={self.root}",
            f"autostart={str(program.first).lower()}",
            "autorestart=true",
            "startsecs=1",
            "startretries=1000000",
            f"priority={priority}",
            f"stopsignal={program.stop_signal}",
            f"stopwaitsecs={round(program.stop_seconds)}",
            "killasgroup=true",
            "redirect_stderr=true",
            f"stdout_logfile={self.logs}/{program.name}.log",
            "stdout_logfile_maxbytes=10MB",
            "stdout_logfile_backups=2",
        ]
