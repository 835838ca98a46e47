"""An e-book's package file: what it says about itself, and its files in reading order."""

from dataclasses import dataclass

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.archive import Archive
from corpus.ingestion.readers.epub_contents import place
from corpus.ingestion.readers.trees import Element, all_text, attribute, local_name, parse_xml

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Fonts alone are scrambled by these two: the text is free.
_FONT_SCRAMBLING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_NO_BOOK = "The file is broken: it does not say where its book begins. Please export it anew."


@dataclass(frozen=True, slots=True)
class Package:
    """An e-book's own words about itself. Paths are those of the archive."""

    title: str
    creator: str
    language: str
    spine: tuple[str, ...]
    navigation: str
    """The EPUB 3 navigation file; empty in EPUB 2."""
    ncx: str


def read_package(archive: Archive) -> Package:
    """The package of an e-book. Raises UnreadableFile for one that is protected or has none."""
    _refuse_protected(archive)
    path = _package_path(archive)
    data = archive.read(path)
    if data is None:
        raise UnreadableFile(_NO_BOOK)
    root = parse_xml(data, "its list of contents")
    items = {attribute(item, "id"): item for item in root.iter() if local_name(item) == "item"}
    paths = {name: place(attribute(item, "href"), path)[0] for name, item in items.items()}
    navigation = [name for name, item in items.items() if "nav" in attribute(item, "properties").split()]
    spine = next((element for element in root.iter() if local_name(element) == "spine"), None)
    refs = [] if spine is None else [attribute(ref, "idref") for ref in spine if local_name(ref) == "itemref"]
    ncx = [name for name, item in items.items() if attribute(item, "media-type") == "application/x-dtbncx+xml"]
    return Package(
        title=_title(root),
        creator=", ".join(_creators(root)),
        language=next(iter(_values(root, "language")), ""),
        spine=tuple(paths[ref] for ref in refs if ref in paths and ref not in navigation),
        navigation=paths[navigation[0]] if navigation else "",
        ncx=paths[ncx[0]] if ncx else "",
    )


def _refuse_protected(archive: Archive) -> None:
    data = archive.read(_ENCRYPTION)
    if data is None:
        return
    methods = (attribute(one, "Algorithm") for one in parse_xml(data, "a part of it").iter("{*}EncryptionMethod"))
    if any(method not in _FONT_SCRAMBLING for method in methods):
        raise UnreadableFile("The e-book is protected against copying (DRM): please upload one that is not.")


def _package_path(archive: Archive) -> str:
    data = archive.read(_CONTAINER)
    if data is None:
        raise UnreadableFile(_NO_BOOK)
    for element in parse_xml(data, "its container").iter():
        if local_name(element) == "rootfile" and (path := attribute(element, "full-path")):
            return path
    raise UnreadableFile(_NO_BOOK)


def _values(root: Element, name: str) -> list[str]:
    found = (one_line(all_text(element)) for element in root.iter(f"{{http://purl.org/dc/elements/1.1/}}{name}"))
    return [value for value in found if value]


def _refined(root: Element, key: str) -> dict[str, str]:
    """What EPUB 3 says in addition about elements, by their ids."""
    metas = (meta for meta in root.iter() if local_name(meta) == "meta" and attribute(meta, "property") == key)
    return {attribute(meta, "refines").lstrip("#"): all_text(meta) for meta in metas}


def _title(root: Element) -> str:
    kinds = _refined(root, "title-type")
    titles = list(root.iter("{http://purl.org/dc/elements/1.1/}title"))
    main = [title for title in titles if kinds.get(attribute(title, "id")) == "main"]
    return next((text for title in (*main, *titles) if (text := one_line(all_text(title)))), "")


def _creators(root: Element) -> list[str]:
    """The authors: creators whose role is that one, or who have none."""
    roles = _refined(root, "role")
    creators = root.iter("{http://purl.org/dc/elements/1.1/}creator")
    named = [
        (attribute(one, "role") or roles.get(attribute(one, "id"), "aut"), one_line(all_text(one))) for one in creators
    ]
    return [name for role, name in named if name and role.strip() == "aut"]
