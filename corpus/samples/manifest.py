"""What the sample library holds, as its manifest says. Pure."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SampleDocument:
    """One text and its labels."""

    file: str
    title: str
    authority: str
    content_type: str

    def read(self) -> bytes:
        """Its bytes."""
        return (FOLDER / "documents" / self.file).read_bytes()


@dataclass(frozen=True, slots=True)
class SampleConcept:
    """One concept and its other names."""

    name: str
    summary: str
    aliases: list[str]


@dataclass(frozen=True, slots=True)
class SampleRelationship:
    """How two concepts relate, and the words that prove it."""

    source: str
    target: str
    kind: str
    weight: int
    document: str
    phrase: str


@dataclass(frozen=True, slots=True)
class SamplePersona:
    """A kind of member and the concepts such members care about."""

    slug: str
    name: str
    description: str
    concepts: list[str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of it."""

    documents: tuple[SampleDocument, ...]
    kinds: Mapping[str, str]
    concepts: tuple[SampleConcept, ...]
    relationships: tuple[SampleRelationship, ...]
    personas: tuple[SamplePersona, ...]


@cache
def manifest() -> Manifest:
    """The manifest, read once."""
    found = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))
    return Manifest(
        documents=tuple(SampleDocument(**entry) for entry in found["documents"]),
        kinds=found["kinds"],
        concepts=tuple(SampleConcept(**entry) for entry in found["concepts"]),
        relationships=tuple(SampleRelationship(**entry) for entry in found["relationships"]),
        personas=tuple(SamplePersona(**entry) for entry in found["personas"]),
    )
