"""Building an embedding space beside the active one, and letting it answer in its place.

Questions go on being answered by the active space all the while. What is stored says what is missing, so a build goes
on wherever it stopped: a lost worker, a pause and a provider that is away cost nothing but time.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from corpus.embeddings import Embedder, Vector
from corpus.errors import CorpusError, EmbedderUnavailable, InvalidSpace
from corpus.ingestion.chunking import embedded_text
from corpus.models import Chunk, Document, EmbeddingSpace, SpaceBuild
from corpus.models.spaces import (
    alone_on,
    chunks_missing,
    chunks_without_vector,
    space_create,
    space_drop_table,
    switching,
    vectors_write,
)
from corpus.postings import floor_measure
from corpus.queueing import task_send

logger = logging.getLogger(__name__)

EmbedderFor = Callable[[EmbeddingSpace], Embedder]

BATCH = 64
RECIPES = (1,)
"""What text can be embedded for a chunk: 1, its prefix and its text."""
TASK = "corpus.tasks.build_space"


def space_begin(*, name: str, provider: str, model: str, dimension: int, recipe: int = 1) -> SpaceBuild:
    """Make a new space and have a worker build it. Raises InvalidSpace."""
    if recipe not in RECIPES:
        raise InvalidSpace(f"There is no recipe {recipe}; there is {', '.join(map(str, RECIPES))}.")
    with transaction.atomic():
        try:
            space = space_create(name=name, provider=provider, model=model, dimension=dimension, recipe=recipe)
        except ValidationError as error:
            raise InvalidSpace(" ".join(error.messages)) from error
        return space_build(space=space)


def space_build(*, space: EmbeddingSpace, then_switch: bool = False) -> SpaceBuild:
    """Have a worker give every chunk a vector in a space, from where it stopped. Raises InvalidSpace."""
    with transaction.atomic():
        stored = _locked(space)
        if stored.state == EmbeddingSpace.State.ACTIVE:
            raise InvalidSpace(f'"{stored}" is the active space: every document that is read in goes into it.')
        build, _ = SpaceBuild.objects.update_or_create(
            space=stored, defaults={"state": SpaceBuild.State.RUNNING, "reason": "", "then_switch": then_switch}
        )
        _count(stored)
        transaction.on_commit(partial(task_send, TASK, stored.pk))
    build.refresh_from_db()
    return build


def space_pause(*, space: EmbeddingSpace) -> None:
    """Stop a build after the batch it is at; what is done stays. Raises InvalidSpace when none is running."""
    running = SpaceBuild.objects.filter(space=space, state=SpaceBuild.State.RUNNING)
    if not running.update(state=SpaceBuild.State.PAUSED, updated_at=Now()):
        raise InvalidSpace(f'The space "{space}" is not being built.')


def space_switch(*, space: EmbeddingSpace) -> EmbeddingSpace:
    """Let a space answer questions in place of the active one: at once if it is complete, else when it is.

    The way back is the same call with the space before, which has stayed. Raises InvalidSpace.
    """
    with transaction.atomic():
        stored = _locked(space)
        if stored.state != EmbeddingSpace.State.ACTIVE and not _switched(stored):
            space_build(space=stored, then_switch=True)
    stored.refresh_from_db()
    return stored


def space_drop(*, space: EmbeddingSpace) -> None:
    """Drop a space with all its vectors. Raises InvalidSpace for the active one."""
    with transaction.atomic():
        stored = _locked(space)
        if stored.state == EmbeddingSpace.State.ACTIVE:
            raise InvalidSpace("The active space answers questions; switch to another one first.")
        space_drop_table(stored)


def space_build_run(*, space_id: int, embedder_for: EmbedderFor) -> SpaceBuild | None:
    """Work on a running build until it is complete, paused or waits for its embedder. None when there is none.

    Only one worker does it at a time; another returns at once. Every outcome stands on the row.
    """
    with alone_on(space_id) as ours:
        space = EmbeddingSpace.objects.filter(pk=space_id, build__state=SpaceBuild.State.RUNNING).first()
        if ours and space is not None:
            _work(space, embedder_for)
    return SpaceBuild.objects.filter(space=space_id).first()


def spaces_sweep() -> list[int]:
    """Send for a worker for every running build: one that has a worker already is left to it. The ids."""
    running = list(SpaceBuild.objects.filter(state=SpaceBuild.State.RUNNING).values_list("space_id", flat=True))
    for space in running:
        task_send(TASK, space)
    return running


def _work(space: EmbeddingSpace, embedder_for: EmbedderFor) -> None:
    try:
        embedder = embedder_for(space)
        complete = False
        while not complete and _is_running(space):
            _fill(space, embedder)
            complete = _completed(space, embedder)
    except EmbedderUnavailable as error:
        state = SpaceBuild.State.FAILED if error.permanent else SpaceBuild.State.RUNNING
        _say(space, state=state, reason=str(error) if error.permanent else f"Waiting: {error}")
        logger.warning("the build of space %s stopped: %s", space.name, error)
    except CorpusError as error:
        _say(space, state=SpaceBuild.State.FAILED, reason=str(error))


def _fill(space: EmbeddingSpace, embedder: Embedder) -> None:
    """Batch by batch in order of chunks; what other workers add or change behind us is found by the next round."""
    after = 0
    while batch := chunks_without_vector(space, after=after, limit=BATCH):
        if not _is_running(space):
            return
        vectors = embedder.embed_batch([embedded_text(chunk.prefix, chunk.text) for chunk in batch])
        _store(space, batch, vectors)
        after = batch[-1].pk


def _store(space: EmbeddingSpace, batch: Sequence[Chunk], vectors: Sequence[Vector]) -> None:
    """Write what still fits: a chunk that was deleted or changed while it was embedded is left out."""
    embedded = {chunk.pk: (chunk.embed_hash, vector) for chunk, vector in zip(batch, vectors, strict=True)}
    with transaction.atomic():
        # Documents first, as every other writer does; then neither their status nor their chunks can change.
        held = Document.objects.filter(chunks__in=embedded).order_by("pk").select_for_update(no_key=True)
        scopes = {document.pk: document.scope for document in held}
        now = Chunk.objects.filter(pk__in=embedded, document__in=scopes)
        vectors_write(
            space,
            [
                (chunk.pk, scopes[chunk.document_id], embedded[chunk.pk][1])
                for chunk in now
                if chunk.embed_hash == embedded[chunk.pk][0]
            ],
        )
        _count(space)


def _completed(space: EmbeddingSpace, embedder: Embedder) -> bool:
    """Whether nothing is missing any more; then the space has its floor, and answers if it was asked to."""
    if chunks_missing(space):
        return False
    floor_measure(space, lambda _, texts: embedder.embed_batch(texts))
    with transaction.atomic():
        build = SpaceBuild.objects.select_for_update().get(space=space)
        if build.state != SpaceBuild.State.RUNNING:
            return True
        if build.then_switch and not _switched(space):
            return False
        _say(space, state=SpaceBuild.State.DONE, reason="")
        return True


def _switched(space: EmbeddingSpace) -> bool:
    """Make a complete space the active one. False, and nothing is changed, when chunks are missing in it."""
    with transaction.atomic():
        # No swap is under way from here on, so nothing goes missing between the look and the switch.
        switching()
        if chunks_missing(space):
            return False
        EmbeddingSpace.objects.filter(state=EmbeddingSpace.State.ACTIVE).update(state=EmbeddingSpace.State.RETIRED)
        EmbeddingSpace.objects.filter(pk=space.pk).update(state=EmbeddingSpace.State.ACTIVE)
        SpaceBuild.objects.filter(space=space).update(
            state=SpaceBuild.State.DONE, then_switch=False, reason="", updated_at=Now()
        )
    logger.info("the space %s answers questions now", space.name)
    return True


def _is_running(space: EmbeddingSpace) -> bool:
    return SpaceBuild.objects.filter(space=space, state=SpaceBuild.State.RUNNING).exists()


def _say(space: EmbeddingSpace, *, state: str, reason: str) -> None:
    running = SpaceBuild.objects.filter(space=space, state=SpaceBuild.State.RUNNING)
    running.update(state=state, reason=reason, updated_at=Now())


def _count(space: EmbeddingSpace) -> None:
    total = Chunk.objects.count()
    SpaceBuild.objects.filter(space=space).update(
        done=total - chunks_missing(space), total=total, reason="", updated_at=Now()
    )


def _locked(space: EmbeddingSpace) -> EmbeddingSpace:
    stored = EmbeddingSpace.objects.select_for_update().filter(pk=space.pk).first()
    if stored is None:
        raise InvalidSpace("There is no such space any more.")
    return stored
