"""An e-book's table of contents: which label stands at which place of which file, and how deep."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.trees import Element, all_text, attribute, local_name

_LISTS = ("ol", "ul")


@dataclass(frozen=True, slots=True)
class ContentsPoint:
    """One line of the contents."""

    file: str
    anchor: str
    """An element's id in the file; empty for its beginning."""
    label: str
    level: int
    """1 for the outermost."""


def points_of_nav(root: Element, path: str) -> tuple[ContentsPoint, ...]:
    """The contents of an EPUB 3 navigation file; its lists of pages and landmarks are none."""
    navs = [element for element in root.iter() if local_name(element) == "nav"]
    contents = [nav for nav in navs if "toc" in attribute(nav, "type").split()]
    return tuple(point for nav in contents[:1] for point in _links(nav, path))


def _links(nav: Element, path: str) -> Iterator[ContentsPoint]:
    for link in nav.iter():
        if local_name(link) == "a" and (label := one_line(all_text(link))) and (href := attribute(link, "href")):
            level = sum(local_name(above) in _LISTS for above in link.iterancestors())
            file, anchor = place(href, path)
            yield ContentsPoint(file, anchor, label, max(level, 1))


def points_of_ncx(root: Element, path: str) -> tuple[ContentsPoint, ...]:
    """The contents of an EPUB 2 file (NCX)."""
    points = (element for element in root.iter() if local_name(element) == "navpoint")
    return tuple(found for point in points if (found := _point(point, path)))


def _point(point: Element, path: str) -> ContentsPoint | None:
    label = source = ""
    for child in point:
        if local_name(child) == "navlabel":
            label = one_line(all_text(child))
        elif local_name(child) == "content":
            source = attribute(child, "src")
    if not label or not source:
        return None
    level = 1 + sum(local_name(above) == "navpoint" for above in point.iterancestors())
    return ContentsPoint(*place(source, path), label, level)


def place(href: str, path: str) -> tuple[str, str]:
    """The archive's file that a link in another file means, and the id within it."""
    file, _, anchor = href.partition("#")
    if not file:
        return path, unquote(anchor)
    joined = posixpath.normpath(posixpath.join("/", posixpath.dirname(path), unquote(file)))
    return joined.lstrip("/"), unquote(anchor)
