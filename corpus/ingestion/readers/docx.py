"""Word documents (.docx): headings by style, lists, tables, text boxes, notes with their text; nothing deleted."""

from collections.abc import Iterator, Mapping

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import one_line
from corpus.ingestion.readers.archive import Archive, ArchiveLimits
from corpus.ingestion.readers.docx_body import Body
from corpus.ingestion.readers.docx_styles import W, read_numbering, read_styles, value
from corpus.ingestion.readers.trees import Element, all_text, local_name, parse_xml
from corpus.ingestion.sections import Outline, Reading

_OLD_WORD = b"\xd0\xcf\x11\xe0"
_MAIN = "officeDocument"
_NO_WORD = "The file is no Word document, or it is broken: please save it anew as .docx."


def read_docx(data: bytes, limits: ArchiveLimits | None = None) -> Reading:
    """The sections of a Word document. Raises UnreadableFile."""
    if data.startswith(_OLD_WORD):
        raise UnreadableFile("The file needs a password or is of the old .doc format: please save it as a plain .docx.")
    archive = Archive(data, limits)
    path = _main_path(archive)
    document = _part(archive, path)
    if document is None:
        raise UnreadableFile(_NO_WORD)
    folder = path.rpartition("/")[0]
    parts = {name: _part(archive, f"{folder}/{name}.xml") for name in ("styles", "numbering", "footnotes", "endnotes")}
    outline = Outline()
    body = Body(
        outline,
        styles=read_styles(parts["styles"]),
        numbering=read_numbering(parts["numbering"]),
        notes={kind: dict(_notes(parts[f"{kind}s"], kind)) for kind in ("footnote", "endnote")},
    )
    body.read(document)
    about = _about(archive)
    warnings = body.warnings()
    if f"{folder}/comments.xml" in archive:
        warnings.append("Comments were left out.")
    return Reading(
        sections=outline.sections(),
        title=about.get("title") or body.title,
        language=about.get("language") or _language(parts["styles"]),
        creator=about.get("creator", ""),
        warnings=tuple(warnings),
    )


def _main_path(archive: Archive) -> str:
    """Where the text is, by the archive's own word."""
    for element in _elements(_part(archive, "_rels/.rels")):
        if str(element.get("Type") or "").endswith(f"/{_MAIN}"):
            return str(element.get("Target") or "").lstrip("/")
    return "word/document.xml"


def _part(archive: Archive, name: str) -> Element | None:
    """A part's root. Raises UnreadableFile; a part that declares entities is none that Word has written."""
    data = archive.read(name)
    if data is None:
        return None
    if b"<!DOCTYPE" in data[:4_096]:
        raise UnreadableFile(_NO_WORD)
    return parse_xml(data, f"its part {name}")


def _elements(root: Element | None) -> Iterator[Element]:
    return iter(()) if root is None else root.iter()


def _notes(root: Element | None, kind: str) -> Iterator[tuple[str, Element]]:
    """Notes by their ids; those of a type are lines that part them from the text."""
    for note in _elements(root):
        if note.tag == f"{W}{kind}" and note.get(f"{W}type") in (None, "normal"):
            yield str(note.get(f"{W}id")), note


def _about(archive: Archive) -> Mapping[str, str]:
    found = (
        (local_name(element), one_line(all_text(element))) for element in _elements(_part(archive, "docProps/core.xml"))
    )
    return {name: text for name, text in found if text and name in ("title", "creator", "language")}


def _language(styles: Element | None) -> str:
    """The language that text has unless it says otherwise."""
    return "" if styles is None else value(styles.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"), "lang")
