"""Tables of regular expressions that are kept beside the code as TOML, where they can be read and added to."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


class PatternFile:
    """A TOML file of rules. `<name>` in an expression stands for the expression of that name under [words]."""

    def __init__(self, path: Path, table: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self.table: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if table is None else table

    def part(self, name: str) -> "PatternFile":
        """The table of that name as a file of rules of its own, with its own [words]."""
        return PatternFile(self.path, self.table[name])

    def any_of(self, expressions: Iterable[str]) -> re.Pattern[str]:
        """One pattern that finds whatever one of the expressions finds."""
        joined = "|".join(expressions)
        for name, expression in self.table.get("words", {}).items():
            joined = joined.replace(f"<{name}>", expression)
        return re.compile(joined)

    def pattern(self, name: str) -> re.Pattern[str]:
        """The pattern of the list of that name."""
        return self.any_of(self.table[name])

    def word_set(self, name: str) -> frozenset[str]:
        """The words of the text of that name."""
        return frozenset(self.table[name].split())
