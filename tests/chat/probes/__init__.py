"""Scripts that look at the page from inside: each file is one function, or what runs before the page does."""

from pathlib import Path


def probe(name: str) -> str:
    """The text of a script."""
    return Path(__file__).with_name(f"{name}.js").read_text()
