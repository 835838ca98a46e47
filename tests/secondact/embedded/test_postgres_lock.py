import os
from pathlib import Path

from secondact.embedded.postgres_lock import lock_file_clear


def lock(tmp_path: Path, first_line: str) -> Path:
    path = tmp_path / "postmaster.pid"
    path.write_text(f"{first_line}\n/data\n")
    return path


def test_the_lock_of_a_pid_that_is_no_postgres_any_more_is_removed(tmp_path: Path) -> None:
    path = lock(tmp_path, str(os.getpid()))
    lock_file_clear(path)
    assert not path.exists()


def test_the_lock_of_a_pid_that_is_gone_is_removed(tmp_path: Path) -> None:
    path = lock(tmp_path, "4194303")
    lock_file_clear(path)
    assert not path.exists()


def test_what_is_no_lock_is_left_alone(tmp_path: Path) -> None:
    path = lock(tmp_path, "not a pid")
    lock_file_clear(path)
    lock_file_clear(tmp_path / "missing")
    assert path.exists()
