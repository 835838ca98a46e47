"""Processes known by pid *and* start time, so that a pid given to somebody else is never taken for ours.

A record is written by the process it describes and stays behind when that is killed; whoever starts next ends what the
record names before taking its place.
"""

import contextlib
import json
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

# Two readings of one process's start time differ by the rounding of clock ticks, never by as much as this.
SAME_START_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Record:
    """Which process it is: `started` in seconds since the epoch."""

    pid: int
    started: float


def own_record() -> Record:
    """The record of the calling process; it stays true through exec."""
    return Record(os.getpid(), psutil.Process().create_time())


def record_write(path: Path, record: Record) -> None:
    """Leave the record at `path`, replacing what stood there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps({"pid": record.pid, "started": record.started}))
    partial.replace(path)


def record_read(path: Path) -> Record | None:
    """The record at `path`, or None when there is none or a kill left half of one."""
    try:
        found = json.loads(path.read_text())
        return Record(int(found["pid"]), float(found["started"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def process_of(record: Record) -> psutil.Process | None:
    """The living process of a record, or None when it has ended or its pid belongs to another."""
    try:
        process = psutil.Process(record.pid)
        if abs(process.create_time() - record.started) > SAME_START_SECONDS:
            return None
        return None if process.status() == psutil.STATUS_ZOMBIE else process
    except psutil.NoSuchProcess:
        return None


def group_of(record: Record) -> list[psutil.Process]:
    """The living processes of the group that the recorded process leads or led: a worker's pool, for one.

    While a group has members the system gives its number to no new process, so members are ours if the number's own
    process is ours or gone, and if they are no older than it was.
    """
    leader = process_of(record)
    if leader is None and psutil.pid_exists(record.pid) and not _is_zombie(record.pid):
        return []
    members = [leader] if leader else []
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, psutil.Error):
            younger = process.create_time() >= record.started - SAME_START_SECONDS
            if process.pid != record.pid and younger and os.getpgid(process.pid) == record.pid:
                members.append(process)
    return members


def _is_zombie(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def end(record: Record, *, stop_signal: signal.Signals = signal.SIGTERM, patience: float = 10.0) -> bool:
    """Ask the recorded process to stop, wait `patience` seconds, kill what is left of its group.

    Returns whether anything had to be ended.
    """
    leader = process_of(record)
    members = group_of(record)
    if not members:
        return False
    if leader is not None:
        with contextlib.suppress(psutil.NoSuchProcess):
            leader.send_signal(stop_signal)
        psutil.wait_procs(members, timeout=patience)
    deadline = time.monotonic() + patience
    while (left := group_of(record)) and time.monotonic() < deadline:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=1.0)
    return True
