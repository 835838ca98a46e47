"""The product in processes of its own on the test's database: a web server with its nodes, and a worker."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from secondact.env import ROOT
from tests.secondact.conftest import Served, until

START_SECONDS = 300


@dataclass
class LibraryServer:
    """Its web server, and how to run another command beside it."""

    served: Served
    worker: "subprocess.Popen[bytes]"
    environment: dict[str, str]

    def run(self, *arguments: str) -> None:
        """Run a command of manage.py to its end."""
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, check=True)

    def end(self) -> None:
        """Kill both."""
        for process in (self.served.process, self.worker):
            process.kill()
            process.communicate()


def library_server_start(*, home: Path, port: int, redis_prefix: str, secret_key: str) -> LibraryServer:
    """Start both and wait until pages are served; logs lie in the home folder."""
    at = connection.settings_dict
    environment = os.environ | {
        "DATABASE_URL": f"postgres://{at['USER']}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
        "SECRET_KEY": secret_key,
        "REDIS_PREFIX": redis_prefix,
        "SECONDACT_HOME": str(home),
        "PORT": str(port),
    }
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"], cwd=ROOT, env=environment, check=True
    )
    worker = ["-m", "celery", "-A", "secondact", "worker", "-c", "1", "-l", "WARNING"]
    with (home / "web.log").open("wb") as web_log, (home / "worker.log").open("wb") as worker_log:
        web = subprocess.Popen(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment, stderr=web_log, text=True
        )
        reading = subprocess.Popen([sys.executable, *worker], cwd=ROOT, env=environment, stderr=worker_log)
    server = LibraryServer(Served(web, port), reading, environment)
    try:
        until(lambda: web.poll() is not None or server.served.status("/readyz") == 200, START_SECONDS)
        assert web.poll() is None, (home / "web.log").read_text()
    except BaseException:
        server.end()
        raise
    return server
