"""manage.py prepare: the step before each release, safe to run again."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from secondact import loading


class Command(BaseCommand):
    """Migrates, then puts in what is missing; what editors changed meanwhile is left alone."""

    help = "Bring the database up to date and put in what every installation holds: stages, space, help lines, editors."

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run it."""
        call_command("migrate", interactive=False, verbosity=options["verbosity"], stdout=self.stdout)
        loading.records_load()
        self.stdout.write("The database is ready.")
