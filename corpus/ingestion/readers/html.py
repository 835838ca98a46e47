"""HTML pages: the main text without menus, banners and scripts; headings as the page sets them."""

import re
from collections.abc import Callable

from corpus.ingestion.clean import Cleaned, clean, one_line
from corpus.ingestion.readers.decoding import decode
from corpus.ingestion.readers.markup import MarkupWalk
from corpus.ingestion.readers.trees import Element, all_text, attribute, local_name, parse_html
from corpus.ingestion.sections import BlockKind, Outline, Reading

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:-]{2,30})""", re.IGNORECASE)
_HEAD_BYTES = 4_096
_SAID_BY_DEFAULT = ("iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252")
"""Charsets that many a page declares and does not have; as browsers do, they are all read as the last."""
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MENUS = frozenset(("nav", "footer", "aside"))
_MENU_ROLES = frozenset(
    (
        *("navigation", "banner", "contentinfo", "complementary", "search"),
        *("menu", "menubar", "toolbar", "dialog", "alertdialog"),
    )
)
_MENU_WORDS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|navbox\w*|menu|sidebar|breadcrumbs?|share|sharing|sharedaddy|social|cookies?"
    r"|consent|related|recommended|comments?|respond|footer|newsletter|subscribe|advert\w*|ads|promo|popup|modal|skip|jump"
    r"|pagination|pager|toc|catlinks|editsection|noprint|printfooter|jumplinks?|widget|tags?|connect|credits|cta"
    r"|screen-reader-text|login)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MAIN = (
    "//*[@role='main']",
    "//main",
    "//article",
    "//*[@itemprop='articleBody']",
    "//*[@id='content' or @id='main' or @id='main-content' or @id='article']",
    "//*[contains(concat(' ', @class, ' '), ' entry-content ')]",
    "//*[contains(concat(' ', @class, ' '), ' post-content ')]",
)
_MOST_OF_IT = 0.6
"""A main part has at least this share of what remains without menus; else the page is marked up some other way."""
_NOT_A_MENU = 0.5
"""An element with more than this share of the page's text is no menu, whatever its class says."""
_TOO_LITTLE = 0.25
"""Of a page's text: a smaller main part may be a mistake about its menus, so only what is surely one goes."""
_LITTLE_KEPT = "Only {:.0%} of the words on the page were taken for its text; please compare it with the page."


class _PlainSink:
    """Headings and blocks as they come."""

    def __init__(self) -> None:
        self.outline = Outline()

    def heading(self, text: str, level: int) -> None:
        self.outline.heading(text, level)

    def block(self, text: str, kind: BlockKind) -> None:
        self.outline.block(text, kind)

    def anchor(self, name: str) -> None:
        """A page has no contents that would point to it."""


def read_html(data: bytes) -> Reading:
    """The sections of a page's main text. Raises UnreadableFile."""
    decoded = _decode(data)
    root = parse_html(decoded.text)
    title, creator = _title(root), _meta(root, "author")
    sink, warnings = _main_text(decoded.text)
    return Reading(
        sections=sink.outline.sections(),
        title=title,
        language=attribute(root, "lang"),
        creator=creator,
        warnings=decoded.warnings + warnings,
    )


def _main_text(page: str) -> tuple[_PlainSink, tuple[str, ...]]:
    """The page's main part; where little of the page is left, what is left when only sure menus are dropped."""
    root = parse_html(page)
    whole = _shown(_walked(next(root.iter("body"), root))) or 1
    _drop_menus(root, _is_menu)
    sink = _walked(_main(root))
    if _shown(sink) >= whole * _TOO_LITTLE:
        return sink, ()
    root = parse_html(page)
    _drop_menus(root, _is_surely_menu)
    sink = _walked(next(root.iter("body"), root))
    kept = _shown(sink) / whole
    return sink, (_LITTLE_KEPT.format(kept),) if kept < _TOO_LITTLE else ()


def _walked(element: Element) -> _PlainSink:
    sink = _PlainSink()
    MarkupWalk(sink).read(element)
    return sink


def _shown(sink: _PlainSink) -> int:
    """Letters of the text that a reader of the page sees."""
    return sum(len(block.text) for section in sink.outline.sections() for block in section.blocks)


def _decode(data: bytes) -> Cleaned:
    """By the charset the page declares where its bytes fit it, else as any text file."""
    declared = _CHARSET.search(data[:_HEAD_BYTES])
    name = declared[1].decode("ascii").lower() if declared else ""
    if name and name not in _SAID_BY_DEFAULT and not data.startswith(_MARKS):
        try:
            return clean(data.decode(name))
        except (UnicodeDecodeError, LookupError):
            pass  # The declaration is wrong: the bytes themselves say more.
    return decode(data, usual=_SAID_BY_DEFAULT[-1])


def _meta(root: Element, name: str) -> str:
    for meta in root.iter("meta"):
        if name in (attribute(meta, "name").lower(), attribute(meta, "property").lower()):
            return one_line(attribute(meta, "content"))
    return ""


def _title(root: Element) -> str:
    """The page's only main heading where its title names it too (and the site besides); else the title."""
    found = next(root.iter("title"), None)
    title = one_line(_meta(root, "og:title") or (all_text(found) if found is not None else ""))
    headings = [one_line(all_text(heading)) for heading in root.iter("h1")]
    whole = [heading for heading in headings if heading and heading.casefold() in title.casefold()]
    return max(whole, key=len, default=title or next(filter(None, headings), ""))


def _drop_menus(root: Element, is_menu: Callable[[Element], bool]) -> None:
    whole = len(all_text(root)) or 1
    for element in list(root.iterdescendants()):
        parent = element.getparent()
        if parent is None or local_name(element) in ("body", "head", "html", "main", "article"):
            continue
        if is_menu(element) and len(all_text(element)) <= whole * _NOT_A_MENU:
            _remove(element, parent)


def _is_surely_menu(element: Element) -> bool:
    """By what it is, not by the name of its class."""
    return local_name(element) in _MENUS or attribute(element, "role") in _MENU_ROLES


def _is_menu(element: Element) -> bool:
    name = local_name(element)
    if _is_surely_menu(element):
        return True
    if name == "header":
        return next(element.iter("h1", "h2", "p"), None) is None
    if name in ("p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "tr", "li", "code", "pre"):
        return False
    return _MENU_WORDS.search(f"{attribute(element, 'id')} {attribute(element, 'class')}") is not None


def _remove(element: Element, parent: Element) -> None:
    """Take an element out; the text after it is its parent's and stays."""
    tail, before = element.tail or "", element.getprevious()
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    element.tail = None
    parent.remove(element)


def _main(root: Element) -> Element:
    """The innermost part that the page calls its main one and that has most of the text."""
    body = next(root.iter("body"), root)
    enough = len(all_text(body)) * _MOST_OF_IT
    found = [element for path in _MAIN for element in _elements(root, path)]
    sized = [(len(all_text(element)), element) for element in found]
    large = [(size, element) for size, element in sized if size >= enough]
    return min(large, key=lambda one: one[0])[1] if large else body


def _elements(root: Element, path: str) -> list[Element]:
    found = root.xpath(path)
    return [element for element in found if isinstance(element, Element)] if isinstance(found, list) else []
