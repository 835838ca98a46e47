"""manage.py ask on the sample library, with nothing played: the whole product, on its local models."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from corpus.models import Chunk, Ingestion
from corpus.samples import samples_load
from corpus.samples.manifest import Manifest, manifest
from corpus.services import ingestion_run
from corpus.tasks import rebuild_statistics
from corpus.wiring import embedder_for
from journeys.models import Member
from secondact.loading import demo_load, records_load

QUESTION = "What is the first step if I want to change careers at 50?"


@pytest.fixture
def library(
    transactional_db: None,
    own_redis_prefix: str,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sample library as `make run` has it, thinned out: embedding all of it takes longest."""
    monkeypatch.setattr("corpus.samples.loading.manifest", thinned)
    settings.MEDIA_ROOT = tmp_path
    records_load()
    demo_load(password="a-long-password")
    samples_load()
    for ingestion in Ingestion.objects.filter(state="received"):
        ingestion_run(ingestion_id=ingestion.pk, embedder_for=embedder_for)
    samples_load()
    rebuild_statistics()


def test_the_first_step_at_50_is_answered_from_two_authorities_with_words_that_stand_there(library: None) -> None:
    assert Member.objects.filter(email="member@example.org").exists()
    frames = asked(QUESTION)

    sources = frames["sources.found"]["sources"]
    authorities = [source["authority"] for source in sources]
    assert len(set(authorities)) >= 2
    assert authorities[0] == "primary"
    assert "primary" not in authorities[authorities.count("primary") :]

    answer = "".join(frame["text"] for frame in frames["answer.delta"])
    cited = {source["number"]: source for source in sources}
    assert frames["answer.citation"]
    for citation in frames["answer.citation"]:
        assert citation["quote"] in text_of(cited[citation["source"]])
        assert 0 <= citation["start"] < citation["end"] <= len(answer)
    used = frames["answer.done"]["sources_used"]
    assert used == sorted({citation["source"] for citation in frames["answer.citation"]}, key=used.index)

    suggestions = frames["suggestions.ready"]["suggestions"]
    assert 3 <= len(suggestions) <= 4
    assert all(suggestion["text"].strip() and suggestion["reason"].strip() for suggestion in suggestions)
    assert frames["turn.done"]["status"] == "answered"


def text_of(source: dict[str, Any]) -> str:
    """A source's chunk and those after it in its document: the models read neighbours as one source."""
    first = Chunk.objects.get(public_id=source["chunk"])
    run = Chunk.objects.filter(document=first.document, ordinal__gte=first.ordinal).order_by("ordinal")
    return "\n\n".join(run.values_list("text", flat=True))


def thinned() -> Manifest:
    """What speaks of a first step, and every fifth of the others; the relationships that these prove."""
    whole = manifest()
    telling = {sample.file for sample in whole.documents if "first step" in sample.read().decode().lower()}
    kept = telling | {sample.file for sample in whole.documents[::5]}
    return replace(
        whole,
        documents=tuple(sample for sample in whole.documents if sample.file in kept),
        relationships=tuple(entry for entry in whole.relationships if entry.document in kept),
    )


def asked(question: str) -> dict[str, Any]:
    """The data of each type of frame; a list for those that come often."""
    out = StringIO()
    call_command("ask", question, "--json", stdout=out)
    found: dict[str, Any] = {"answer.delta": [], "answer.citation": []}
    for line in out.getvalue().splitlines():
        frame = json.loads(line)
        if frame["type"] in ("answer.delta", "answer.citation"):
            found[frame["type"]].append(frame["data"])
        else:
            found[frame["type"]] = frame["data"]
    return found
