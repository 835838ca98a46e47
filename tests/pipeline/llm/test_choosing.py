"""Which model serves which node."""

import subprocess
import sys

import pytest
from pytest_django import Settings

from benchmarks.provider import Provider
from benchmarks.provider.replies import error_reply
from pipeline import wiring
from pipeline.llm.choosing import models_of_settings
from pipeline.llm.claude import ClaudeModel
from tests.pipeline.fakes import FakeModel, request_of


@pytest.fixture
def keyed(settings: Settings, provider: Provider) -> Settings:
    settings.ANTHROPIC_API_KEY = "a-key"
    settings.ANTHROPIC_BASE_URL = provider.url
    return settings


async def test_without_a_key_the_local_model_serves_every_node(settings: Settings) -> None:
    local = FakeModel()
    async with wiring.language_models(local) as models:
        assert models.intent is models.answers is models.suggestions is local
        assert models.serves() == {"intent": "fake", "answers": "fake", "suggestions": "fake"}

    assert wiring.answers_are_local()


async def test_with_a_key_claude_does_and_is_warm(keyed: Settings, provider: Provider) -> None:
    async with wiring.language_models(FakeModel()) as models:
        assert isinstance(models.answers, ClaudeModel)
        assert models.serves()["intent"] == "claude: claude-haiku-4-5"
        assert models.serves()["answers"] == "claude: claude-sonnet-4-5"
        assert len(provider.calls_of("models")) == 2
        assert (await models.intent.classify(request_of("Why?"), "")).model == "claude-haiku-4-5"

    assert not wiring.answers_are_local()


async def test_a_provider_that_is_down_at_the_start_delays_nothing(keyed: Settings, provider: Provider) -> None:
    provider.play("models", error_reply(529, "overloaded_error"))
    async with wiring.language_models(FakeModel()) as models:
        assert isinstance(models.intent, ClaudeModel)


async def test_the_order_of_names_is_a_setting(keyed: Settings) -> None:
    keyed.CLAUDE_ANSWER_MODELS = ("claude-sonnet-5", "claude-sonnet-4-6")
    models = models_of_settings(FakeModel())
    assert models.serves()["answers"] == "claude: claude-sonnet-5"
    await models.close()


@pytest.mark.django_db(transaction=True)
async def test_what_serves_what_is_known_before_anything_is_open() -> None:
    assert (await wiring.adapters()).keys() <= {"embeddings", "graph"}


def test_without_a_key_no_sdk_is_imported() -> None:
    program = (
        "import os, sys, django\n"
        "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'secondact.settings')\n"
        "django.setup()\n"
        "from pipeline import wiring\n"
        "from pipeline.llm.choosing import models_of_settings\n"
        "models_of_settings(object())\n"
        "assert not {'anthropic', 'openai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_keys_are_not_written_into_what_is_printed(keyed: Settings) -> None:
    from pipeline.llm.claude_access import ClaudeAccess

    assert "a-key" not in repr(ClaudeAccess("a-key", (), ()))
