"""`manage.py up`: everything on this machine with one command, until Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from secondact import env, loading
from secondact.embedded import startup
from secondact.embedded.errors import EmbeddedError
from secondact.embedded.state import services_ensure
from secondact.embedded.supervision import Program, Supervision
from secondact.mail import NewMail

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MAIL_SECONDS = 0.5


class Command(BaseCommand):
    """Start Postgres, Redis, the web server, a worker and beat, and keep them alive."""

    help = "Starts Postgres, Redis, web server, worker and beat, keeps them alive, and ends them at Ctrl-C."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether the library starts with the sample documents, and whether Neo4j is started too."""
        parser.add_argument("--no-samples", action="store_false", dest="samples", help="Start with an empty library.")
        parser.add_argument(
            "--with", action="append", default=[], choices=["neo4j"], dest="extras", help="Start this server too."
        )

    def handle(self, *, samples: bool, extras: list[str], **_: Any) -> None:
        """Run until a signal or until the supervisor is gone."""
        # SIGINT too: a shell starts background jobs with it ignored.
        for number in SIGNALS:
            signal.signal(number, signal.default_int_handler)
        try:
            with ExitStack() as lasting:
                self._run(lasting, samples=samples, extras=extras)
        except EmbeddedError as error:
            raise CommandError(str(error), returncode=2) from error
        except KeyboardInterrupt:
            self._say("Ended.")

    def _run(self, lasting: ExitStack, *, samples: bool, extras: list[str]) -> None:
        home, port = Path(settings.HOME), settings.PORT
        startup.model_needed()
        lasting.enter_context(startup.home_make(home))
        own = {
            "own_postgres": not os.environ.get("DATABASE_URL"),
            "own_redis": not os.environ.get("REDIS_URL"),
            "own_neo4j": "neo4j" in extras and not os.environ.get("NEO4J_URI"),
        }
        services_ensure(home, **own)
        if env.load() != settings.ENV:
            # The settings were read before there was a services.json: begin again with what stands in it now.
            os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606  (ourselves)
        startup.environment_of_children(home, port)
        supervision = Supervision(home, settings.BASE_DIR)
        products = startup.product_programs(drain_seconds=settings.DRAIN_SECONDS)
        if supervision.end_left_over([*startup.server_names(), *products]):
            self._say("Ended what an earlier run had left behind.")
        startup.web_port_free(port)
        servers = startup.servers_make(home, **own, neo4j_jars=settings.ENV.neo4j_jars, say=self._say)
        programs = [*servers.programs(), *products]
        lasting.callback(self._end, supervision, programs)
        process = supervision.start(programs)
        startup.servers_wait(servers, process)
        self._load()
        for program in products:
            supervision.program_start(program.name)
        startup.ready_wait(port, process, log=supervision.logs / "web.log")
        if samples:
            loading.samples_load(say=self._say)
        self._greet(port, supervision)
        self._repeat_mail(process)
        raise EmbeddedError("The supervisor was killed; everything else is ended too. Start again: nothing is lost.")

    def _load(self) -> None:
        """Bring the database to its newest form and put into it what every installation has."""
        self._say("Preparing the database ...")
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        loading.records_load()
        loading.demo_load(password=settings.ENV.demo_password)
        connections.close_all()

    def _greet(self, port: int, supervision: Supervision) -> None:
        password = settings.ENV.demo_password
        self._say(
            f"\nSecondAct is ready at http://127.0.0.1:{port}/\n"
            f"  sign in as  member@example.org  or  editor@example.org (admin), password {password}\n"
            f"  API         http://127.0.0.1:{port}/api/v1/docs/\n"
            f"  logs        {supervision.logs}\n"
            "Ctrl-C ends it.\n"
        )

    def _repeat_mail(self, supervisor: subprocess.Popen[bytes]) -> None:
        """Until the supervisor is gone, say what mail was written out: its links are for whoever sits here."""
        mail = NewMail()
        while supervisor.poll() is None:
            if text := mail.text():
                self._say(text)
            time.sleep(MAIL_SECONDS)

    def _end(self, supervision: Supervision, programs: list[Program]) -> None:
        """End in order; a second Ctrl-C changes nothing about it."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        self._say("Ending: web server, worker, beat, and the servers behind them ...")
        supervision.end_left_over(programs)

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
