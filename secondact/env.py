"""The one reader of the environment.

A variable wins; what is unset is looked up in `$SECONDACT_HOME/services.json`, which `manage.py up` writes; after that
comes the default. A wrong or missing setting raises SettingError, whose message is one sentence naming it.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from environs import Env, EnvError

ROOT = Path(__file__).resolve().parent.parent


class SettingError(Exception):
    """A setting is wrong or missing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the product, checked."""

    home: Path
    embedded: bool
    debug: bool
    secret_key: str
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    database_url: str
    redis_url: str
    port: int
    signup: str
    demo_password: str
    drain_seconds: float
    lease_seconds: float
    ingestion_lease_seconds: float
    log_level: str
    redis_prefix: str


def _services(home: Path) -> Mapping[str, str]:
    """What `up` wrote for this home, or nothing."""
    path = home / "services.json"
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingError(f"{path} cannot be read: {error}.") from error
    return dict(found)


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read every setting. Raises SettingError for the first that is wrong or missing."""
    env = Env()
    if environ is not None:
        os.environ.update(environ)
    try:
        home = Path(env.str("SECONDACT_HOME", str(ROOT / ".data"))).resolve()
        services = _services(home)
        database_url = env.str("DATABASE_URL", services.get("database_url", ""))
        redis_url = env.str("REDIS_URL", services.get("redis_url", ""))
        return Settings(
            home=home,
            embedded=env.bool("SECONDACT_EMBEDDED", bool(services)),
            debug=env.bool("DEBUG", False),
            secret_key=env.str("SECRET_KEY", services.get("secret_key", "unset-" * 10)),
            allowed_hosts=tuple(env.list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])),
            csrf_trusted_origins=tuple(env.list("CSRF_TRUSTED_ORIGINS", [])),
            database_url=database_url,
            redis_url=redis_url,
            port=env.int("PORT", 8000),
            signup=env.str("SIGNUP", "closed"),
            demo_password=env.str("SECONDACT_DEMO_PASSWORD", "secondact"),
            drain_seconds=env.float("DRAIN_SECONDS", 25.0),
            lease_seconds=env.float("LEASE_SECONDS", 10.0),
            ingestion_lease_seconds=env.float("INGESTION_LEASE_SECONDS", 60.0),
            log_level=env.str("LOG_LEVEL", "INFO"),
            redis_prefix=env.str("REDIS_PREFIX", "secondact"),
        )
    except EnvError as error:
        raise SettingError(str(error)) from error
