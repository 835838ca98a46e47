"""Where a file is read that a stranger may have made: `python -m corpus.ingestion.child NAME MEMORY SECONDS`.

The file comes on standard input, what was read goes as JSON to standard output. Limits are set before any parser is
imported, and by the process itself: a function run between fork and exec is not safe in a parent with threads.
"""

import json
import os
import resource
import sys
from typing import Any

from corpus.errors import UnreadableFile
from corpus.ingestion.sections import Block, BlockKind, Reading, Section

OUT_OF_MEMORY = "out_of_memory"
"""What stands as `failed` when the file needed more memory than it may have."""


def main() -> None:
    """Read one file and say what it holds, or why it cannot be read."""
    name, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    answer = os.dup(1)
    os.dup2(2, 1)  # Whatever a library prints is no part of the answer.
    _limit(memory, seconds)
    with os.fdopen(answer, "wb") as out:
        out.write(json.dumps(_read(name)).encode())


def _limit(memory: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _read(name: str) -> dict[str, Any]:
    try:
        from corpus.ingestion.reading import read_file

        return as_json(read_file(name, sys.stdin.buffer.read()))
    except UnreadableFile as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"failed": OUT_OF_MEMORY}


def as_json(reading: Reading) -> dict[str, Any]:
    """A reading as values of JSON; `from_json` makes it again."""
    return {
        "title": reading.title,
        "language": reading.language,
        "creator": reading.creator,
        "warnings": list(reading.warnings),
        "sections": [
            {
                "heading_path": list(section.heading_path),
                "blocks": [[block.text, block.kind.value, dict(block.locator)] for block in section.blocks],
                "locator": dict(section.locator),
                "language": section.language,
            }
            for section in reading.sections
        ],
    }


def from_json(found: dict[str, Any]) -> Reading:
    """The reading that `as_json` was given."""
    return Reading(
        sections=tuple(
            Section(
                heading_path=tuple(section["heading_path"]),
                blocks=tuple(Block(text, BlockKind(kind), locator) for text, kind, locator in section["blocks"]),
                locator=section["locator"],
                language=section["language"],
            )
            for section in found["sections"]
        ),
        title=found["title"],
        language=found["language"],
        creator=found["creator"],
        warnings=tuple(found["warnings"]),
    )


if __name__ == "__main__":
    main()
