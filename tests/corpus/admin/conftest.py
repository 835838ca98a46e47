"""An editor at work in the admin."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from corpus.models import EmbeddingSpace
from journeys.services import editors_group


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Uploads go to a folder of the test's own."""
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def editor(space: EmbeddingSpace) -> Client:
    """A signed-in member of the editors group."""
    member = get_user_model().objects.create(email="editor@example.org", is_staff=True)
    member.groups.add(editors_group())
    client = Client()
    client.force_login(member)
    return client
