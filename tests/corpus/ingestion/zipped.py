"""Small EPUB and DOCX files for tests, made from their parts."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip file of these parts."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A Word document with this body; other parts of its folder by name."""
    more = {f"word/{name}.xml": content for name, content in parts.items()}
    return zipped({"word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>", **more})


def epub(chapters: Mapping[str, str], *, nav: str = "", metadata: str = "", **parts: str) -> bytes:
    """An e-book of these files, by name; `nav` holds the lines of its contents."""
    items = "".join(f'<item id="i{at}" href="{name}"/>' for at, name in enumerate(chapters))
    refs = "".join(f'<itemref idref="i{at}"/>' for at in range(len(chapters)))
    package = (
        f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>{metadata}</metadata><manifest>{items}'
        f'<item id="nav" href="nav.xhtml" properties="nav"/></manifest><spine>{refs}</spine></package>'
    )
    contents = f'<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="toc"><ol>{nav}</ol></nav></html>'
    files = {f"OPS/{name}": f"<html><body>{text}</body></html>" for name, text in chapters.items() if text}
    base = {"META-INF/container.xml": CONTAINER, "OPS/book.opf": package, "OPS/nav.xhtml": contents}
    return zipped({**base, **files, **parts})
