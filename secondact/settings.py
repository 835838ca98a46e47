"""Django's settings, all from secondact.env."""

import sys
from pathlib import Path
from typing import Any

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF

from secondact import env

try:
    ENV = env.load()
except env.SettingError as _error:
    # One sentence for whoever started us, whichever of manage.py, celery, serve or another ASGI server it was.
    print(_error, file=sys.stderr)  # noqa: T201
    raise SystemExit(2) from None

BASE_DIR = Path(env.ROOT)
HOME = ENV.home

SECRET_KEY = ENV.secret_key
DEBUG = ENV.debug
EMBEDDED = ENV.embedded
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENV.csrf_trusted_origins)
PORT = ENV.port

INSTALLED_APPS = [
    "secondact",
    "journeys",
    "corpus",
    "pipeline",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "csp",
    "simple_history",
]

# Every one of them can run async: a single one that cannot would send each request through a thread.
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "secondact.nul.NulMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "secondact.problems.ProblemMiddleware",
]

ROOT_URLCONF = "secondact.urls"
ASGI_APPLICATION = "secondact.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# 20 connections a process: more than the writers of runs (8 threads), so that a burst of runs never starves a request.
DATABASES = {"default": dj_database_url.parse(ENV.database_url or "postgres://unset@127.0.0.1/unset")}
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 20, "timeout": 10}
DATABASES["default"]["CONN_MAX_AGE"] = 0
# The pool looks at a connection before it lends it out: after a restart of Postgres all of them are dead.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "journeys.Member"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "secondact.accounts.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# Accounts of the admin, of commands and of invitations come with a confirmed address (journeys/services/addresses.py).
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password",)
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_FORM_CLASS = "secondact.account_forms.SignupFields"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if EMBEDDED else "https"
# Three in ten minutes, so that whoever lost a mail can ask again at once.
ACCOUNT_RATE_LIMITS = {"confirm_email": "3/10m/key"}
INVITATION_DAYS = 14
HEADLESS_CLIENTS = ("app",)
HEADLESS_ONLY = False
# An app gets a session token and, beside it, a JWT of the same session; signing out ends both at once.
HEADLESS_TOKEN_STRATEGY = "allauth.headless.tokens.strategies.jwt.JWTTokenStrategy"  # noqa: S105  (a class)
HEADLESS_JWT_ALGORITHM = "HS256"
HEADLESS_JWT_STATEFUL_VALIDATION_ENABLED = True
SIGNUP = ENV.signup
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/chat/"
# How many proxies stand before us, each adding the address it saw to X-Forwarded-For: only the last one's is believed.
PROXIES = 1 if ENV.proxy_header else 0
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "secondact.api.SessionTokenAuthentication",
        "secondact.api.AccessTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["secondact.api.BoundedJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": [
        "secondact.api.MemberThrottle",
        "secondact.api.AnonymousThrottle",
        "secondact.api.ScopeThrottle",
    ],
    "DEFAULT_PAGINATION_CLASS": "journeys.api.pages.CursorPages",
    "PAGE_SIZE": 20,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "secondact.problems.drf_handler",
    "NUM_PROXIES": PROXIES,
}
# Counted by each web process for itself: the API must answer while Redis does not.
API_RATES = {"member": "600/min", "anonymous": "120/min", "send": "30/min"}
SPECTACULAR_SETTINGS = {
    "TITLE": "SecondAct",
    "DESCRIPTION": "The companion of the SecondActSociety: ask, follow the answer as it is written, see its sources.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "secondact.openapi.describe_streams",
        "secondact.openapi.describe_problems",
    ],
}

# HTTPS ends at the proxy; the embedded mode is plain HTTP on the loopback interface.
SECURE_SSL_REDIRECT = not EMBEDDED
SECURE_PROXY_SSL_HEADER = (f"HTTP_{ENV.proxy_header.upper().replace('-', '_')}", "https") if ENV.proxy_header else None
SECURE_HSTS_SECONDS = 0 if EMBEDDED else ENV.hsts_seconds
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_SECONDS > 0
SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS > 0
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not EMBEDDED
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

SITE_URL = ENV.site_url
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENV.mail_from
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = "secondact.mail.TerminalBackend"
if ENV.mail:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = ENV.mail.host, ENV.mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = ENV.mail.user, ENV.mail.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = ENV.mail.starttls, ENV.mail.tls

REDIS_URL = ENV.redis_url
REDIS_PREFIX = ENV.redis_prefix
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": f"{REDIS_PREFIX}:layer"},
    }
}

TASK_SECONDS = 2 * 3600
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task that outlives this is delivered a second time, so it lies above the longest that a task may take.
    "visibility_timeout": TASK_SECONDS + 3600,
    "global_keyprefix": f"{REDIS_PREFIX}:celery:",
    "socket_connect_timeout": 3,
}
# A request that enqueues must not hang when Redis is down: it logs, and the sweepers make it good.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = TASK_SECONDS
CELERY_TASK_SOFT_TIME_LIMIT = TASK_SECONDS - 60
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "UTC"
# Kept in memory: beat's usual file survives changes of code and time zone and then sends what was "due" in between.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
_EVERY_SECONDS = {
    "corpus.tasks.graph_work": 30,
    "corpus.tasks.sweep_ingestions": 30,
    "corpus.tasks.sweep_spaces": 30,
    "corpus.tasks.rebuild_statistics": 60,
    "corpus.tasks.project_graph": 10,
    "corpus.tasks.ping_graph": 120,
    "pipeline.tasks.sweep_turns": 10,
    "journeys.tasks.sweep_invitations": 30,
}
# A round that no worker took in time is dropped: after a pause one round runs, not all that were missed.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    task.rpartition(".")[2]: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in _EVERY_SECONDS.items()
}
# At night; a worker that was away then does it when it is back, within the day.
CELERY_BEAT_SCHEDULE["reconcile_graph"] = {
    "task": "corpus.tasks.reconcile_graph",
    "schedule": crontab(hour=3, minute=30),
    "options": {"expires": 12 * 3600},
}

NEO4J = (ENV.neo4j_uri, ENV.neo4j_user, ENV.neo4j_password)
LEASE_SECONDS = ENV.lease_seconds
INGESTION_LEASE_SECONDS = ENV.ingestion_lease_seconds
INGESTION_READ_SECONDS = ENV.ingestion_read_seconds
INGESTION_READ_BYTES = ENV.ingestion_read_megabytes * 1024 * 1024
# Seconds between the pieces of a local answer, to try out by hand what happens while an answer streams.
LOCAL_ANSWER_PACE = ENV.local_answer_pace
DRAIN_SECONDS = ENV.drain_seconds
MEMORY_TURNS = ENV.memory_turns

# Without a key the local adapters answer.
ANTHROPIC_API_KEY = ENV.anthropic_api_key
ANTHROPIC_BASE_URL = ENV.anthropic_base_url
CLAUDE_FAST_MODELS = ENV.claude_fast_models
CLAUDE_ANSWER_MODELS = ENV.claude_answer_models
# A key only allows another embedding space to be built: the active space decides who embeds a question.
OPENAI_API_KEY = ENV.openai_api_key
OPENAI_BASE_URL = ENV.openai_base_url

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = HOME / "files"
FILE_UPLOAD_PERMISSIONS = 0o600
STORAGES = {
    "default": {"BACKEND": ENV.storage_backend, "OPTIONS": dict(ENV.storage_options)},
    "staticfiles": {"BACKEND": "secondact.hashed_files.HashedFiles"},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "secondact.logs.LogFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": ENV.log_level},
    "loggers": {
        "django": {"handlers": [], "level": ENV.log_level, "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "daphne": {"level": "WARNING"},
        # Whatever LOG_LEVEL says: at DEBUG they write down what is sent to the providers, members' words included.
        **{name: {"level": "WARNING"} for name in ("anthropic", "openai", "httpx2", "httpcore2")},
        # Each lost connection is an error to the driver; what it comes to, the adapter says in one line.
        "neo4j.io": {"level": "CRITICAL"},
    },
}
