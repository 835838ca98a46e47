"""The one reader of the environment.

A variable wins; an address that is unset is looked up in `$SECONDACT_HOME/services.json`, which `manage.py up` writes;
after that comes the default. A wrong or missing setting raises SettingError, whose message is one sentence naming it.
docs/running.md lists them all.
"""

import importlib.util
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from secondact.mail_url import MailServer, mail_server

ROOT = Path(__file__).resolve().parent.parent

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SECRET_KEY_LENGTH = 50
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# The first that the provider still knows is asked; one at the end of its life gives way to the next.
CLAUDE_FAST_MODELS = ("claude-haiku-4-5", "claude-haiku-5-5")
CLAUDE_ANSWER_MODELS = ("claude-sonnet-4-5", "claude-sonnet-4-6", "claude-sonnet-5")
NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
# Outside of any home folder: 123 MB that serve every installation and every run of the tests on this machine.
NEO4J_JARS = "~/.cache/secondact/neo4j"
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class SettingError(Exception):
    """A setting is wrong or missing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the product, checked.

    `embedded` is the mode of `manage.py up`, of development and of tests: loopback only, plain HTTP, demo accounts.
    Without it this is a production server. An empty address means that nobody named a server and `up` has not run.
    """

    home: Path
    embedded: bool
    debug: bool
    secret_key: str
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    proxy_header: str
    database_url: str
    redis_url: str
    redis_prefix: str
    neo4j_uri: str
    neo4j_user: str
    neo4j_password: str
    neo4j_jars: Path
    port: int
    signup: str
    demo_password: str
    drain_seconds: float
    local_answer_pace: float
    memory_turns: int
    lease_seconds: float
    ingestion_lease_seconds: float
    ingestion_read_seconds: float
    ingestion_read_megabytes: int
    log_level: str
    hsts_seconds: int
    storage_backend: str
    storage_options: Mapping[str, object]
    mail: MailServer | None
    """Where mail is handed over; None writes it where the server prints what it does."""
    mail_from: str
    site_url: str
    anthropic_api_key: str
    anthropic_base_url: str
    claude_fast_models: tuple[str, ...]
    claude_answer_models: tuple[str, ...]
    openai_api_key: str
    openai_base_url: str


class Reader:
    """Reads single variables; each method raises SettingError where the value is not of its kind."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str, default: str = "") -> str:
        """The value without surrounding blanks; an empty variable counts as unset."""
        value = self._environ.get(name, "").strip()
        if "\0" in value:
            raise SettingError(f"{name} holds a NUL character.")
        return value or default

    def flag(self, name: str, default: bool) -> bool:
        """A yes or a no."""
        value = self.text(name).lower()
        if value and value not in (*YES, *NO):
            raise SettingError(f"{name} must be 1 or 0, not {value!r}.")
        return value in YES if value else default

    def number(self, name: str, default: float, *, least: float, most: float) -> float:
        """A number between two bounds."""
        value = self.text(name)
        try:
            number = float(value or default)
        except ValueError:
            raise SettingError(f"{name} must be a number, not {value!r}.") from None
        if not least <= number <= most:
            raise SettingError(f"{name} must be between {least:g} and {most:g}, not {value}.")
        return number

    def whole(self, name: str, default: int, *, least: int, most: int) -> int:
        """A whole number between two bounds."""
        number = self.number(name, default, least=least, most=most)
        if not number.is_integer():
            raise SettingError(f"{name} must be a whole number, not {self.text(name)!r}.")
        return int(number)

    def choice(self, name: str, default: str, among: tuple[str, ...]) -> str:
        """One of some words."""
        value = self.text(name, default)
        if value not in among:
            raise SettingError(f"{name} must be one of {', '.join(among)}, not {value!r}.")
        return value

    def words(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list parted by commas."""
        found = tuple(word for part in self.text(name).split(",") if (word := part.strip()))
        return found or default

    def address(self, name: str, default: str, schemes: tuple[str, ...]) -> str:
        """The URL of a server."""
        value = self.text(name, default)
        if not value:
            return ""
        try:
            parts = urlsplit(value)
            whole = parts.scheme in schemes and (parts.hostname or parts.path) and (parts.port or True)
        except ValueError:
            whole = False
        if not whole:
            raise SettingError(f"{name} must be a URL like {schemes[0]}://user:password@host:port/name.")
        return value

    def options(self, name: str) -> Mapping[str, object]:
        """A JSON object."""
        try:
            found = json.loads(self.text(name, "{}"))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise SettingError(f"{name} must be a JSON object.")
        return found


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read every setting. Raises SettingError for the first that is wrong or missing."""
    read = Reader(os.environ if environ is None else environ)
    home = Path(read.text("SECONDACT_HOME", str(ROOT / ".data"))).expanduser().absolute()
    embedded = _embedded(read, home)
    services = _services(home) if embedded else {}
    if not embedded:
        _addresses_needed(read)
    return Settings(
        home=home,
        embedded=embedded,
        debug=read.flag("DEBUG", default=False),
        secret_key=_secret_key(read, embedded=embedded, found=services.get("secret_key", "")),
        allowed_hosts=_allowed_hosts(read, embedded=embedded),
        csrf_trusted_origins=_origins(read),
        proxy_header=_proxy_header(read, embedded=embedded),
        database_url=read.address("DATABASE_URL", services.get("database_url", ""), ("postgres", "postgresql")),
        redis_url=read.address("REDIS_URL", services.get("redis_url", ""), ("redis", "rediss", "unix")),
        redis_prefix=read.text("REDIS_PREFIX", "secondact"),
        neo4j_uri=read.address("NEO4J_URI", services.get("neo4j_uri", ""), NEO4J_SCHEMES),
        neo4j_user=read.text("NEO4J_USER", "neo4j"),
        neo4j_password=read.text(
            "NEO4J_PASSWORD", "" if read.text("NEO4J_URI") else services.get("neo4j_password", "")
        ),
        neo4j_jars=Path(read.text("NEO4J_JARS", NEO4J_JARS)).expanduser().absolute(),
        port=read.whole("PORT", 8000, least=1, most=65535),
        signup=read.choice("SIGNUP", "closed", ("closed", "invite", "open")),
        demo_password=read.text("SECONDACT_DEMO_PASSWORD", "secondact"),
        local_answer_pace=read.number("LOCAL_ANSWER_PACE", 0, least=0, most=5),
        memory_turns=read.whole("MEMORY_TURNS", 5, least=3, most=5),
        drain_seconds=read.number("DRAIN_SECONDS", 25, least=0, most=600),
        lease_seconds=read.number("LEASE_SECONDS", 10, least=1, most=600),
        ingestion_read_seconds=read.number("INGESTION_READ_SECONDS", 120, least=1, most=3600),
        ingestion_read_megabytes=read.whole("INGESTION_READ_MEGABYTES", 1024, least=256, most=16384),
        ingestion_lease_seconds=read.number("INGESTION_LEASE_SECONDS", 60, least=1, most=3600),
        log_level=read.choice("LOG_LEVEL", "INFO", LOG_LEVELS),
        hsts_seconds=read.whole("HSTS_SECONDS", 31_536_000, least=0, most=63_072_000),
        storage_backend=_storage_backend(read),
        storage_options=read.options("STORAGE_OPTIONS"),
        mail=_mail(read),
        mail_from=_mail_from(read),
        site_url=_site_url(read, embedded=embedded),
        anthropic_api_key=read.text("ANTHROPIC_API_KEY"),
        anthropic_base_url=read.address("ANTHROPIC_BASE_URL", "", ("https", "http")),
        claude_fast_models=read.words("CLAUDE_FAST_MODELS", CLAUDE_FAST_MODELS),
        claude_answer_models=read.words("CLAUDE_ANSWER_MODELS", CLAUDE_ANSWER_MODELS),
        openai_api_key=read.text("OPENAI_API_KEY"),
        openai_base_url=read.address("OPENAI_BASE_URL", "", ("https", "http")),
    )


def _embedded(read: Reader, home: Path) -> bool:
    """As SECONDACT_EMBEDDED says; unset, the mode is embedded while `up` or nobody provides a server."""
    named = [bool(read.text(name)) for name in ("DATABASE_URL", "REDIS_URL")]
    started = (home / "services.json").exists()
    return read.flag("SECONDACT_EMBEDDED", default=not all(named) if started else not any(named))


def _addresses_needed(read: Reader) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        if not read.text(name):
            raise SettingError(f"{name} is missing; a production server needs both DATABASE_URL and REDIS_URL.")


def _services(home: Path) -> Mapping[str, str]:
    """What `up` wrote for this home, or nothing."""
    path = home / "services.json"
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingError(f"SECONDACT_HOME holds a services.json that cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise SettingError("SECONDACT_HOME holds a services.json that is not a JSON object.")
    return {str(name): str(value) for name, value in found.items()}


def _secret_key(read: Reader, *, embedded: bool, found: str) -> str:
    """The key of sessions and tokens. Where `up` has not run yet nothing is served, and a key of the moment will do."""
    key = read.text("SECRET_KEY", found)
    if embedded:
        return key or secrets.token_urlsafe(SECRET_KEY_LENGTH)
    if not key:
        raise SettingError("SECRET_KEY is missing; set it to a random text of 50 characters or more.")
    if len(key) < SECRET_KEY_LENGTH or len(set(key)) < 5:
        raise SettingError(f"SECRET_KEY must be a random text of {SECRET_KEY_LENGTH} characters or more.")
    return key


def _allowed_hosts(read: Reader, *, embedded: bool) -> tuple[str, ...]:
    hosts = read.words("ALLOWED_HOSTS", LOOPBACK if embedded else ())
    if not hosts:
        raise SettingError("ALLOWED_HOSTS is missing; name the hosts that this server answers for, parted by commas.")
    if "*" in hosts:
        raise SettingError("ALLOWED_HOSTS must name the hosts that this server answers for, not '*'.")
    if wrong := next((host for host in hosts if "/" in host), None):
        raise SettingError(f"ALLOWED_HOSTS must name hosts without scheme or path, not {wrong!r}.")
    return hosts


def _origins(read: Reader) -> tuple[str, ...]:
    origins = read.words("CSRF_TRUSTED_ORIGINS")
    if wrong := next((origin for origin in origins if "://" not in origin), None):
        raise SettingError(f"CSRF_TRUSTED_ORIGINS must name origins like https://app.example.org, not {wrong!r}.")
    return origins


def _proxy_header(read: Reader, *, embedded: bool) -> str:
    """The header in which the TLS proxy tells the scheme of the request, or nothing."""
    name = read.text("PROXY_HEADER", "none" if embedded else "X-Forwarded-Proto")
    if not all(part.isalnum() for part in name.split("-")):
        raise SettingError(f"PROXY_HEADER must be the name of a header or none, not {name!r}.")
    return "" if name == "none" else name


def _storage_backend(read: Reader) -> str:
    backend = read.text("STORAGE_BACKEND", "django.core.files.storage.FileSystemStorage")
    module = backend.rpartition(".")[0]
    try:
        known = bool(module) and importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        known = False
    if not known:
        raise SettingError(f"STORAGE_BACKEND names {backend!r}, which is not installed.")
    return backend


def _mail(read: Reader) -> MailServer | None:
    url = read.text("EMAIL_URL")
    try:
        return mail_server(url) if url else None
    except ValueError:
        raise SettingError("EMAIL_URL must be a URL like smtp+tls://user:password@mail.example.org:587.") from None


def _mail_from(read: Reader) -> str:
    """The sender of all mail. Where mail goes to a server it has to be named: a made-up one is refused or lost."""
    sender = read.text("DEFAULT_FROM_EMAIL")
    if not sender:
        if read.text("EMAIL_URL"):
            raise SettingError("DEFAULT_FROM_EMAIL is missing; EMAIL_URL needs the sender that its server accepts.")
        return "SecondAct <noreply@localhost>"
    name, _, domain = parseaddr(sender)[1].rpartition("@")
    if not name or not domain or any(mark in sender for mark in "\r\n"):
        raise SettingError(f"DEFAULT_FROM_EMAIL must be an address like SecondAct <hello@example.org>, not {sender!r}.")
    return sender


def _site_url(read: Reader, *, embedded: bool) -> str:
    """Where mail that no request asked for leads to, without a slash at its end."""
    url = read.text("SITE_URL")
    if not url and embedded:
        return f"http://127.0.0.1:{read.whole('PORT', 8000, least=1, most=65535)}"
    if not url:
        return f"https://{_allowed_hosts(read, embedded=False)[0].lstrip('.')}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise SettingError(f"SITE_URL must be an address like https://companion.example.org, not {url!r}.")
    return url.rstrip("/")
