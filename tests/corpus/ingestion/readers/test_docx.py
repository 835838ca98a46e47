import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.docx import read_docx
from corpus.ingestion.sections import BlockKind
from tests.corpus.ingestion.zipped import W, docx, zipped

STYLES = (
    f'<w:styles {W}><w:style w:styleId="Kop1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="Kop1"/></w:style></w:styles>'
)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def texts(data: bytes) -> list[str]:
    return [block.text for section in read_docx(data).sections for block in section.blocks]


def test_headings_are_known_by_the_style_their_style_is_based_on() -> None:
    reading = read_docx(docx(paragraph("Plans", '<w:pStyle w:val="Mine"/>') + paragraph("Text."), styles=STYLES))
    assert reading.sections[0].heading_path == ("Plans",)
    assert reading.sections[0].locator == {"chapter": "Plans"}


def test_deleted_text_is_absent_and_inserted_text_is_there() -> None:
    deleted = "<w:del><w:r><w:delText>10 euro</w:delText></w:r></w:del>"
    body = f"<w:p>{deleted}<w:ins><w:r><w:t>12 euro</w:t></w:r></w:ins></w:p>"
    assert texts(docx(body)) == ["12 euro"]
    assert read_docx(docx(body)).warnings == ("Text that is deleted in tracked changes was left out.",)


def test_a_note_follows_its_paragraph() -> None:
    body = '<w:p><w:r><w:t>Body.</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = f'<w:footnotes {W}><w:footnote w:id="2">{paragraph("Foot-zebra")}</w:footnote></w:footnotes>'
    assert texts(docx(body, footnotes=notes)) == ["Body.[1]", "[1] Foot-zebra"]


def test_a_text_box_is_read_once_though_it_is_written_twice() -> None:
    box = f"<w:txbxContent>{paragraph('Box-zebra')}</w:txbxContent>"
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
    body = f'<w:p><w:r><mc:AlternateContent xmlns:mc="{mc}">{both}</mc:AlternateContent></w:r></w:p>'
    assert texts(docx(body)) == ["Box-zebra"]


def test_a_table_is_read_by_rows_and_a_merged_cell_once() -> None:
    tall = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>'
    rows = [f"<w:tc>{tall}{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc><w:tc>{paragraph('c')}</w:tc>"]
    rows.append(
        f"<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>{paragraph('d')}</w:tc><w:tc>{paragraph('e')}</w:tc>"
    )
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    assert texts(docx(body)) == ["a | b | c", "d | e"]


def test_items_of_a_list_carry_their_numbers() -> None:
    numbering = (
        f'<w:numbering {W}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="lowerRoman"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
    )
    item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>'
    data = docx(paragraph("one", item) + paragraph("two", item), numbering=numbering)
    assert texts(data) == ["i. one", "ii. two"]
    assert read_docx(data).sections[0].blocks[0].kind is BlockKind.ITEM


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut", zipped({"a.txt": "no document"}), b"no zip"])
def test_what_is_no_word_document_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="broken"):
        read_docx(data)


def test_an_old_or_protected_document_is_refused_with_what_to_do() -> None:
    with pytest.raises(UnreadableFile, match=r"save it as a plain \.docx"):
        read_docx(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def test_a_part_with_entities_of_its_own_is_refused() -> None:
    entities = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10 if at else "ha"}">' for at in range(10))
    bomb = f"<!DOCTYPE x [{entities}]><w:document {W}><w:body>{paragraph('&e9;')}</w:body></w:document>"
    with pytest.raises(UnreadableFile, match="no Word document"):
        read_docx(zipped({"word/document.xml": bomb}))
