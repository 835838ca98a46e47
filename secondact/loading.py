"""What an installation holds from its first day, put in by loaders that may run again at every start."""

import time
from collections.abc import Callable


def records_load() -> None:
    """Stages, embedding space, help lines and the group of editors."""
    from corpus.services import spaces_ensure
    from journeys.services import editors_group, stages_load
    from pipeline.help_lines import help_lines_load

    stages_load()
    spaces_ensure()
    help_lines_load()
    editors_group()


def demo_load(*, password: str) -> None:
    """The demo accounts of the one-command start; nothing else makes them."""
    from journeys.services import members_demo

    members_demo(password)


def samples_load(*, say: Callable[[str], None]) -> None:
    """The sample documents, through the worker as any other document; returns when they are in."""
    from corpus.samples import samples_load, samples_waiting

    samples_load()
    left = samples_waiting()
    if left:
        say(f"Reading in {left} sample documents ...")
    while left:
        time.sleep(0.5)
        if (now := samples_waiting()) != left:
            left = now
            say(f"  {left} to go")
    # Once more: the concepts of the samples are proved by chunks, which are there only now.
    samples_load()
