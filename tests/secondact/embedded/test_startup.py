import stat
from pathlib import Path

import pytest

from secondact.embedded import startup
from secondact.embedded.errors import EmbeddedError


def test_a_home_can_be_used_by_one_start_at_a_time(tmp_path: Path) -> None:
    with startup.home_make(tmp_path / "home"), pytest.raises(EmbeddedError, match="running already"):
        startup.home_make(tmp_path / "home")
    startup.home_make(tmp_path / "home").close()


def test_others_may_pass_through_a_home_and_not_look_into_it(tmp_path: Path) -> None:
    startup.home_make(tmp_path / "home").close()
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o711
    assert stat.S_IMODE((tmp_path / "home" / "run").stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=r"^SECONDACT_HOME cannot be used"):
        startup.home_make(tmp_path / "file" / "home")


@pytest.mark.parametrize("name", ["100 %", "a;b", "a#b", "it's"])
def test_a_home_that_the_supervisor_would_misread_is_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbeddedError, match=r"^SECONDACT_HOME is"):
        startup.home_make(tmp_path / name)


def test_a_missing_model_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "MODEL_PACKAGE", "no_such_model")
    with pytest.raises(EmbeddedError, match=r"requirements-model\.txt$"):
        startup.model_needed()
