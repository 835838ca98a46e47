#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    """Run one management command; a wrong setting or a missing server is one sentence and exit code 2."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "secondact.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command == "up":
        os.environ.setdefault("SECONDACT_EMBEDDED", "1")

    from django.core.management import execute_from_command_line

    from secondact import env
    from secondact.preflight import servers_ready

    try:
        servers_ready(env.load(), command)
    except env.SettingError as error:
        print(error, file=sys.stderr)  # noqa: T201  (a command speaks on its terminal)
        sys.exit(2)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
