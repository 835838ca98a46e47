"""Reading a file without risk to who asks: most formats are read in a child process with limits."""

import json
import logging
import os
import subprocess
import sys
from dataclasses import dataclass
from math import ceil
from pathlib import Path, PurePath

from corpus.errors import UnreadableFile
from corpus.ingestion.child import OUT_OF_MEMORY, from_json
from corpus.ingestion.reading import READ_IN_PLACE, About, about_reading, check_format, read_file
from corpus.ingestion.sections import Reading

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[2]
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "TMPDIR")
"""Of the environment; the rest holds secrets that no parser needs."""
_LOGGED = 4_000
"""Characters of what a failed child has said."""
_TOO_LONG = "The file took too long to read and was given up; splitting it, or exporting it anew, may help."
_TOO_LARGE = "The file needs more memory to be read than it may have; splitting it may help."
_CRASHED = "The file is broken: reading it failed. Exporting or saving it anew may help."


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one file may take."""

    seconds: float = 120
    memory: int = 1024 * 1024 * 1024
    """Bytes of address space, of which the interpreter and the libraries take about a fifth."""


def read_isolated(name: str, data: bytes, limits: ReadLimits | None = None) -> Reading:
    """The file's sections, clean and not empty. Raises UnreadableFile with a sentence for the editor.

    Markdown and plain text are read here and now: a child would take a tenth of a second more for each.
    """
    check_format(name)
    if PurePath(name).suffix.lower() in READ_IN_PLACE:
        return read_file(name, data)
    answer = _ask_child(name, data, limits or ReadLimits())
    if "refused" in answer:
        raise UnreadableFile(answer["refused"])
    if "failed" in answer:
        raise UnreadableFile(_TOO_LARGE if answer["failed"] == OUT_OF_MEMORY else _CRASHED)
    return from_json(answer)


def about_isolated(name: str, data: bytes, limits: ReadLimits | None = None) -> About:
    """What a file says about itself; of one that cannot be read, its name."""
    try:
        reading = read_isolated(name, data, limits)
    except UnreadableFile:
        reading = Reading(sections=())
    return about_reading(name, reading)


def _ask_child(name: str, data: bytes, limits: ReadLimits) -> dict[str, str]:
    command = [sys.executable, "-m", "corpus.ingestion.child", name, str(limits.memory), str(ceil(limits.seconds))]
    environment = {key: os.environ[key] for key in _KEPT if key in os.environ}
    try:
        done = subprocess.run(  # noqa: S603  (our own module, and the name is a plain argument)
            command, input=data, capture_output=True, timeout=limits.seconds, cwd=_ROOT, env=environment, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableFile(_TOO_LONG) from error
    if done.returncode == 0:
        answer: dict[str, str] = json.loads(done.stdout)
        return answer
    said = done.stderr.decode(errors="replace")[-_LOGGED:]
    logger.warning("the reader of %s ended with %s: %s", PurePath(name).suffix, done.returncode, said)
    if "MemoryError" in said or "bad_alloc" in said:
        return {"failed": OUT_OF_MEMORY}
    return {"failed": "crashed"}
