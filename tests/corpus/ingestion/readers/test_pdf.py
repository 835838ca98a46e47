from collections.abc import Sequence

import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.pdf import read_pdf
from corpus.ingestion.sections import Reading

Set = tuple[str, float, float, int]
"""A line of text, its left end, its height above the page's foot, the size of its letters."""


def pdf(*pages: Sequence[Set]) -> bytes:
    """A PDF of such pages."""
    kids = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(pages)))
    objects = {1: "<</Type/Catalog/Pages 2 0 R>>", 2: f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>"}
    objects[3] = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    for at, page in enumerate(pages):
        drawn = "".join(f"BT /F {size} Tf {left} {foot} Td ({text}) Tj ET " for text, left, foot, size in page)
        objects[10 + 2 * at] = (
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/Resources<</Font<</F 3 0 R>>>>"
            f"/Contents {11 + 2 * at} 0 R>>"
        )
        objects[11 + 2 * at] = f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream"
    return _written(objects)


def _written(objects: dict[int, str]) -> bytes:
    """The objects with the table of where each begins."""
    file, table = "%PDF-1.4\n", ""
    for number, content in objects.items():
        table += f"{number} 1\n{len(file):010} 00000 n \n"
        file += f"{number} 0 obj\n{content}\nendobj\n"
    end = f"trailer<</Size 1000/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF"
    return f"{file}xref\n0 1\n0000000000 65535 f \n{table}{end}".encode()


def texts(reading: Reading) -> list[str]:
    return [block.text for section in reading.sections for block in section.blocks]


def column(*lines: str) -> list[Set]:
    return [(line, 50, 500 - 14 * at, 10) for at, line in enumerate(lines)]


def test_lines_become_a_paragraph_and_a_parted_word_is_whole() -> None:
    page = column("A line that is broken in the mid-", "dle of a word, and one that goes", "on to the end.")
    assert texts(read_pdf(pdf(page))) == [
        "A line that is broken in the middle of a word, and one that goes on to the end."
    ]


def test_a_word_that_is_written_with_a_hyphen_elsewhere_keeps_it() -> None:
    page = column("It is a well-known thing that is well-", "known to all who know it.")
    assert texts(read_pdf(pdf(page))) == ["It is a well-known thing that is well-known to all who know it."]


def test_a_wider_gap_parts_paragraphs() -> None:
    page = [*column("One of two lines", "and the other"), ("A new one", 50, 440, 10)]
    assert texts(read_pdf(pdf(page))) == ["One of two lines and the other", "A new one"]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    words = ["Apples are red.", "Pears are green.", "Plums are blue.", "Figs are brown."]
    pages = [
        [
            ("A Book of Fruit", 50, 580, 8),
            *column(word, "They grow on trees.", "So they do."),
            (f"- {at} -", 190, 20, 8),
        ]
        for at, word in enumerate(words, 1)
    ]
    read = " ".join(texts(read_pdf(pdf(*pages))))
    assert "Book of Fruit" not in read
    assert "-" not in read
    assert all(word in read for word in words)


def test_blocks_stand_on_their_pages_and_under_their_headings() -> None:
    one = [("Fruit", 50, 550, 20), *column("Apples are red and", "they grow on trees.")]
    reading = read_pdf(pdf(one, column("Pears are green.", "They do too.")))
    assert reading.title == "Fruit"
    (section,) = reading.sections
    assert section.heading_path == ("Fruit",)
    assert [(block.text, block.locator) for block in section.blocks] == [
        ("Fruit", {"page": "1"}),
        ("Apples are red and they grow on trees.", {"page": "1"}),
        ("Pears are green. They do too.", {"page": "2"}),
    ]


def test_a_sentence_that_goes_over_the_page_s_end_is_one_and_stands_where_it_begins() -> None:
    reading = read_pdf(pdf(column("Apples are red and"), column("they grow on trees.")))
    assert texts(reading) == ["Apples are red and they grow on trees."]
    assert reading.sections[0].blocks[0].locator == {"page": "1"}


def test_pages_without_text_are_told_and_a_pdf_of_nothing_else_is_refused() -> None:
    assert "Page 2 is without text" in read_pdf(pdf(column("Text."), [])).warnings[0]
    with pytest.raises(UnreadableFile, match="This PDF has no text layer: run OCR first"):
        read_pdf(pdf([], [(" ", 50, 500, 10)]))


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"no pdf at all"])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="broken"):
        read_pdf(data)
