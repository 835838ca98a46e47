"""Leave a record of oneself, end what an earlier life left behind, then become the program.

    python -m secondact.embedded.program RECORD SIGNAL [--lock-file PATH] [--account UID:GID] -- PROGRAM ARGUMENT...

The supervisor starts everything through this, so that each process is known by pid and start time, which stay the same
through exec, and so that no program ever meets its own predecessor.
"""

import argparse
import os
import signal
from pathlib import Path

from secondact.embedded.account import Account, become
from secondact.embedded.postgres_lock import lock_file_clear
from secondact.embedded.processes import end, own_record, record_read, record_write


def main() -> None:
    """Become the program of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("record", type=Path)
    parser.add_argument("signal")
    parser.add_argument("--lock-file", type=Path)
    parser.add_argument("--account")
    parser.add_argument("argv", nargs="+")
    options = parser.parse_args()
    if earlier := record_read(options.record):
        end(earlier, stop_signal=signal.Signals[f"SIG{options.signal}"])
    record_write(options.record, own_record())
    if options.lock_file:
        lock_file_clear(options.lock_file)
    if options.account:
        uid, gid = (int(number) for number in options.account.split(":"))
        become(Account(uid, gid, str(uid)))
    os.execv(options.argv[0], options.argv)  # noqa: S606  (argv is ours, and no shell is wanted)


if __name__ == "__main__":
    main()
