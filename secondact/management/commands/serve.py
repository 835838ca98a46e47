"""`manage.py serve`: the web server of one process."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

LOOPBACK = "127.0.0.1"


class Command(BaseCommand):
    """Serve HTTP and WebSockets until SIGTERM."""

    help = "Serves HTTP and WebSockets on PORT; at SIGTERM it lets running answers finish."

    def add_arguments(self, parser: CommandParser) -> None:
        """The address to listen on."""
        parser.add_argument(
            "--host",
            default=LOOPBACK if settings.EMBEDDED else "0.0.0.0",  # noqa: S104  (a production server is for others)
        )

    def handle(self, **options: Any) -> None:
        """Serve; the exit code is 1 when the start failed."""
        if settings.EMBEDDED and options["host"] not in (LOOPBACK, "localhost", "::1"):
            raise CommandError(
                "SECONDACT_EMBEDDED means demo accounts and plain HTTP: it listens on loopback only.", returncode=2
            )
        from secondact.serve import serve

        sys.exit(serve(host=options["host"], port=settings.PORT))
