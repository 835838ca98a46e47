"""Under which system account an embedded server runs, and what that account can reach.

Postgres refuses to run as root. As root we run it as the owner of its data or, for new data, as `nobody`; everybody
else runs it as themselves.
"""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from secondact.embedded.errors import EmbeddedError


@dataclass(frozen=True, slots=True)
class Account:
    """A system account by its numbers."""

    uid: int
    gid: int
    name: str


def account_for(data: Path) -> Account | None:
    """The account that serves `data`; None means: the one we are."""
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return _account(owner)
    try:
        return _account(pwd.getpwnam("nobody").pw_uid)
    except KeyError as error:
        raise EmbeddedError(
            "Postgres does not run as root and there is no account nobody; start as an ordinary user."
        ) from error


def _account(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Account(uid, uid, str(uid))
    return Account(uid, entry.pw_gid, entry.pw_name)


def run_as(account: Account | None, argv: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end as the account, in a folder that everybody can enter."""
    if account is None:
        return subprocess.run(argv, cwd="/", capture_output=True, text=True, check=False)  # noqa: S603  (our own argv)
    return subprocess.run(  # noqa: S603  (our own argv)
        argv,
        cwd="/",
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )


def can_enter(account: Account | None, folder: Path) -> bool:
    """Whether the account can come as far as `folder` and into it."""
    return run_as(account, ["test", "-x", str(folder)]).returncode == 0


def can_run(account: Account | None, binary: Path) -> bool:
    """Whether the account can start `binary`, the libraries beside it included."""
    try:
        return run_as(account, [str(binary), "--version"]).returncode == 0
    except OSError:
        return False


def become(account: Account) -> None:
    """Drop from root to the account for good; the calling process stands in / afterwards."""
    os.chdir("/")
    os.setgroups([])
    os.setgid(account.gid)
    os.setuid(account.uid)
