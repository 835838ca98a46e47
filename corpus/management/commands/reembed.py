"""manage.py reembed: build an embedding space beside the active one, watch it, switch to it and back."""

import json
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import reembedding, wiring
from corpus.embeddings import LocalEmbedder
from corpus.errors import CorpusError
from corpus.models import EmbeddingSpace, SpaceBuild
from corpus.selectors import space_list

POLL_SECONDS = 0.5


class Command(BaseCommand):
    """Exit code 0: done as asked; 1: it cannot be done, or the build failed."""

    help = "Build an embedding space beside the active one; without --space, list the spaces."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", default="", metavar="NAME", help="the space; a new name makes a new one")
        parser.add_argument("--provider", default="local", choices=["local", "openai"], help="of a new space")
        parser.add_argument("--model", default=LocalEmbedder.model, help="of a new space")
        parser.add_argument("--dimension", type=int, default=LocalEmbedder.dimension, help="of a new space")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--pause", action="store_true", help="stop its build; called again without it, it goes on")
        what.add_argument("--switch", action="store_true", help="let it answer questions, once it is complete")
        what.add_argument("--drop", action="store_true", help="drop it with all its vectors")
        parser.add_argument("--no-wait", action="store_true", help="do not wait until the build has ended")
        parser.add_argument("--json", action="store_true", help="print one JSON object a space")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = options["space"]
        try:
            space = EmbeddingSpace.objects.filter(name=name).first() if name else None
            if name:
                self._act(space, options)
        except CorpusError as error:
            raise CommandError(str(error)) from error
        for one in space_list():
            if not name or one.name == name:
                self.stdout.write(_as_json(one) if options["json"] else _line(one))

    def _act(self, space: EmbeddingSpace | None, options: dict[str, Any]) -> None:
        if space is None and (options["pause"] or options["drop"]):
            raise CommandError(f"There is no space {options['space']}.")
        if space is None:
            space = self._begun(options)
        elif options["pause"]:
            reembedding.space_pause(space=space)
            return
        elif options["drop"]:
            reembedding.space_drop(space=space)
            return
        elif not options["switch"]:
            reembedding.space_build(space=space)
        if options["switch"]:
            reembedding.space_switch(space=space)
        if not options["no_wait"]:
            self._wait(space, quiet=options["json"])

    def _begun(self, options: dict[str, Any]) -> EmbeddingSpace:
        asked = EmbeddingSpace(name=options["space"], provider=options["provider"], model=options["model"])
        # Before anything is made: is there a key, and does the model exist?
        embedder = wiring.embedder_for(asked)
        if embedder.dimension != options["dimension"]:
            raise CommandError(f"{asked.model} makes vectors of {embedder.dimension} dimensions: --dimension.")
        return reembedding.space_begin(
            name=asked.name, provider=asked.provider, model=asked.model, dimension=options["dimension"]
        ).space

    def _wait(self, space: EmbeddingSpace, *, quiet: bool) -> None:
        said = ""
        while True:
            build = SpaceBuild.objects.filter(space=space).first()
            line = f"{build}{f' ({build.reason})' if build and build.reason else ''}"
            if build and line != said and not quiet:
                self.stdout.write(line)
            said = line
            if build is None or build.state in (SpaceBuild.State.DONE, SpaceBuild.State.PAUSED):
                return
            if build.state == SpaceBuild.State.FAILED:
                raise CommandError(build.reason)
            time.sleep(POLL_SECONDS)


def _line(space: EmbeddingSpace) -> str:
    build = getattr(space, "build", None)
    words = f"{space.name}: {space.get_state_display().lower()}, {space.provider} {space.model}, {space.dimension}"
    return (
        f"{words} dimensions{f'; {build.get_state_display().lower()}, {build.done} of {build.total}' if build else ''}"
    )


def _as_json(space: EmbeddingSpace) -> str:
    build = getattr(space, "build", None)
    return json.dumps(
        {
            "name": space.name,
            "state": space.state,
            "provider": space.provider,
            "model": space.model,
            "dimension": space.dimension,
            "build": build and {"state": build.state, "done": build.done, "total": build.total, "reason": build.reason},
        }
    )
