"""Where the graph store is."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GraphAddress:
    """A Neo4j server and the account on it."""

    uri: str
    user: str
    password: str = field(repr=False)
