"""Bytes to element trees, with nothing fetched and no entity of the file's own making expanded."""

from html.entities import name2codepoint

import lxml.html
from lxml import etree

from corpus.errors import UnreadableFile

Element = etree._Element

_FORBIDDEN = {code: None for code in range(32) if code not in (9, 10, 13)}
"""Controls that an HTML tree cannot hold."""


def parse_xml(data: bytes, what: str) -> Element:
    """An XML part's root, without comments. `what` names it in the sentence of the UnreadableFile that is raised."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise UnreadableFile(f"The file is broken: {what} cannot be understood.") from error
    _spell_entities(root)
    return root


def parse_html(text: str) -> Element:
    """The root of an HTML page, however badly it is written. Raises UnreadableFile for one without any content."""
    # Without "huge" the parser leaves out, and does not say so, what lies deeper than 255 elements; with it 2,048.
    parser = lxml.html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True
    )
    try:
        return lxml.html.document_fromstring(text.translate(_FORBIDDEN).encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableFile("There is no text in the file.") from error


def local_name(element: Element) -> str:
    """An element's name without its namespace, in small letters."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name, whatever its namespace; empty when there is none."""
    plain = element.get(name)
    if plain is not None:
        return str(plain)
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def all_text(element: Element) -> str:
    """All text within an element, on one line."""
    return " ".join("".join(str(piece) for piece in element.itertext()).split())


def _spell_entities(root: Element) -> None:
    """Put HTML's named characters where they are named; whatever else a file names stays unsaid."""
    for entity in list(root.iter(etree.Entity)):
        parent = entity.getparent()
        if parent is None:
            continue
        code = name2codepoint.get((entity.text or "").strip("&;"))
        text = (chr(code) if code else "") + (entity.tail or "")
        before = entity.getprevious()
        if before is None:
            parent.text = (parent.text or "") + text
        else:
            before.tail = (before.tail or "") + text
        entity.tail = None
        parent.remove(entity)
