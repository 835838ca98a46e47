import json
import os
import socket
import stat
from pathlib import Path

import pytest

from secondact.embedded.errors import EmbeddedError
from secondact.embedded.state import port_is_taken, services_ensure, services_load, services_postgres_data


def test_ports_passwords_and_key_stay_for_life(tmp_path: Path) -> None:
    assert services_ensure(tmp_path) == services_ensure(tmp_path) == services_load(tmp_path)


def test_no_two_homes_share_a_secret(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = services_ensure(tmp_path / "one"), services_ensure(tmp_path / "two")
    assert {one.secret_key, one.postgres_password, one.redis_password}.isdisjoint(
        {two.secret_key, two.postgres_password, two.redis_password}
    )


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_only_its_owner_may_read_it(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        services_ensure(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "services.json").stat().st_mode) == 0o600


def test_a_server_that_the_environment_names_has_no_address_here(tmp_path: Path) -> None:
    found = services_ensure(tmp_path, own_postgres=False)
    assert (found.database_url, found.redis_url != "") == ("", True)


def test_a_services_json_that_a_person_spoilt_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "services.json").write_text(json.dumps({"secret_key": "x"}))
    with pytest.raises(EmbeddedError, match="cannot be read"):
        services_ensure(tmp_path)
    assert json.loads((tmp_path / "services.json").read_text()) == {"secret_key": "x"}


def test_data_in_the_home_is_remembered_by_a_path_that_moves_with_it(tmp_path: Path) -> None:
    services_postgres_data(tmp_path, services_ensure(tmp_path), tmp_path / "postgres" / "data")
    found = services_load(tmp_path)
    assert found is not None
    assert found.postgres_data == "postgres/data"


def test_a_port_on_which_somebody_listens_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert port_is_taken(port)
    assert not port_is_taken(port)
