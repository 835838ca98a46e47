import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpus.embeddings import Vector
from corpus.models import EmbeddingSpace
from corpus.reembedding import space_build_run
from journeys.models import Member
from tests.corpus.hash_embedder import HashEmbedder
from tests.corpus.reading_in import document_make, paragraphs, read_in


class Wide(HashEmbedder):
    """Vectors as long as the local model's."""

    def embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        return [np.tile(vector, 24) / np.float32(24**0.5) for vector in super().embed_batch(texts)]


def reembed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("reembed", *arguments, stdout=out)
    return out.getvalue()


def test_spaces_are_listed_with_how_far_they_are_built(space: EmbeddingSpace) -> None:
    reembed("--space", "second", "--no-wait")
    assert reembed() == (
        "test: active, local angles, 16 dimensions\n"
        "second: building, local all-MiniLM-L6-v2, 384 dimensions; running, 0 of 0\n"
    )
    reembed("--space", "second", "--pause")
    assert json.loads(reembed("--json").splitlines()[1]) == {
        "name": "second",
        "state": "building",
        "provider": "local",
        "model": "all-MiniLM-L6-v2",
        "dimension": 384,
        "build": {"state": "paused", "done": 0, "total": 0, "reason": ""},
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--space", "other", "--provider", "openai", "--model", "text-embedding-3-small"), "Nothing here embeds"),
        (("--space", "other", "--dimension", "1536"), "384 dimensions"),
        (("--space", "other", "--pause"), "no space other"),
        (("--space", "test", "--drop"), "active space"),
        (("--space", "test"), "active space"),
    ],
    ids=["no-key", "dimension", "pause", "drop", "active"],
)
def test_what_cannot_be_is_said_in_a_sentence(space: EmbeddingSpace, arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        reembed(*arguments)
    assert list(EmbeddingSpace.objects.values_list("name", flat=True)) == ["test"]


def test_the_command_waits_until_the_build_has_ended_and_says_how_far_it_is(
    space: EmbeddingSpace, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    read_in(document_make(), paragraphs("One"), publish=True)

    def work(_seconds: float) -> None:
        """In place of a wait: what a worker does meanwhile."""
        space_build_run(space_id=EmbeddingSpace.objects.get(name="second").pk, embedder_for=Wide())

    monkeypatch.setattr("corpus.management.commands.reembed.time.sleep", work)
    assert reembed("--space", "second", "--switch").splitlines() == [
        "second: Running, 0 of 1",
        "second: Complete, 1 of 1",
        "second: active, local all-MiniLM-L6-v2, 384 dimensions; complete, 1 of 1",
    ]


def test_spaces_are_made_paused_and_dropped_in_the_admin(space: EmbeddingSpace, client: Client) -> None:
    client.force_login(Member.objects.create_superuser(email="root@example.org", password="secret-enough"))
    listed = reverse("admin:corpus_embeddingspace_changelist")
    asked = {"name": "second", "provider": "local", "model": "all-MiniLM-L6-v2", "dimension": 1_536}

    refused = client.post(reverse("admin:corpus_embeddingspace_add"), asked)
    assert "Vectors of this model have 384 dimensions." in refused.content.decode()
    client.post(reverse("admin:corpus_embeddingspace_add"), asked | {"dimension": 384})
    assert "Running, 0 of 0" in client.get(listed).content.decode()

    def act(action: str, *spaces: EmbeddingSpace) -> str:
        posted = {"action": action, "_selected_action": [one.pk for one in spaces]}
        response = client.post(listed, posted, follow=True)
        return " ".join(str(message) for message in response.context["messages"])

    second = EmbeddingSpace.objects.get(name="second")
    assert "second is paused." in act("pause_selected", second)
    assert "Choose one space" in act("switch_to_selected", space, second)
    assert "test: The active space answers questions" in act("drop_selected", space, second)
    assert list(EmbeddingSpace.objects.values_list("name", flat=True)) == ["test"]
