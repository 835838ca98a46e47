"""Answers of the graph kept in memory for as long as the graph stands as it stood when they were given. Pure."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from corpus.graph.store import Standing

MAX_KEPT = 512
"""Answers, each of a few hundred small values."""


class Neighbourhoods:
    """The last answers asked for, of one standing; those of an earlier one are forgotten when a later one is seen."""

    def __init__(self, *, most: int = MAX_KEPT) -> None:
        self._most = most
        self._standing: Standing | None = None
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, standing: Standing, key: Hashable) -> Any:
        """The answer, or None."""
        if standing != self._standing or key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def put(self, standing: Standing, key: Hashable, answer: Any) -> None:
        """Keep an answer that was asked for when the graph stood so."""
        if standing != self._standing:
            if self._standing is not None and standing.version < self._standing.version:
                return  # asked before a change, answered after it
            self._kept.clear()
            self._standing = standing
        self._kept[key] = answer
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
