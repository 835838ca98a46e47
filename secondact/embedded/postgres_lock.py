"""The lock file that a killed Postgres leaves in its data folder."""

from pathlib import Path

import psutil


def lock_file_clear(lock_file: Path) -> None:
    """Remove the lock when the pid in it has been given to another process since.

    Postgres itself sees only whether the pid exists, and after a restart of a container low pids soon do.
    """
    try:
        process = psutil.Process(int(lock_file.read_text().split("\n", 1)[0]))
        if process.name() == "postgres":
            return
    except (OSError, ValueError):
        return
    except psutil.Error:
        pass
    lock_file.unlink(missing_ok=True)
