import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.html import read_html
from corpus.ingestion.sections import BlockKind


def texts(page: str) -> list[str]:
    return [block.text for section in read_html(page.encode()).sections for block in section.blocks]


def test_menus_scripts_and_banners_are_no_text() -> None:
    page = (
        "<nav>Home</nav><div class='cookie-banner'>Accept</div><script>run()</script><style>p{}</style>"
        "<p>The one text of this page.</p><footer>Imprint</footer>"
    )
    assert texts(page) == ["The one text of this page."]


def test_an_element_that_holds_most_of_the_page_is_no_menu() -> None:
    assert texts("<div class='sidebar-layout'><p>All there is to read.</p></div>") == ["All there is to read."]


def test_text_after_inline_tags_in_a_layout_table_is_kept() -> None:
    page = (
        "<table><tr><td><p>Start <i>one</i> mid <b>two</b> end-zebra</p>"
        "<ul><li><span>item-zebra</span></li></ul></td></tr></table>"
    )
    assert texts(page) == ["Start one mid two end-zebra", "- item-zebra"]


def test_a_table_of_data_is_read_by_rows() -> None:
    blocks = read_html(b"<table><tr><th>Year<th>Sum<tr><td>1999<td><p>12</p></table>").sections[0].blocks
    assert [(block.text, block.kind) for block in blocks] == [
        ("Year | Sum", BlockKind.HEAD),
        ("1999 | 12", BlockKind.ROW),
    ]


def test_a_page_whose_classes_all_look_like_menus_keeps_its_text() -> None:
    page = (
        "<nav>Home</nav><p>Short start.</p>"
        + "<div class='widget'><p>A plum is a fruit that falls in autumn.</p></div>" * 9
        + "<footer>Imprint</footer>"
    )
    assert texts(page) == ["Short start.", *["A plum is a fruit that falls in autumn."] * 9]


def test_a_page_that_is_mostly_menus_says_how_little_was_kept() -> None:
    menus = f"<nav><p>{'link ' * 40}</p></nav>" + f"<aside><p>{'more ' * 30}</p></aside>" * 3
    reading = read_html(f"<p>One line.</p>{menus}".encode())
    assert reading.warnings == (
        "Only 1% of the words on the page were taken for its text; please compare it with the page.",
    )


def test_lists_keep_their_numbers_and_their_depth() -> None:
    assert texts("<ol start=3><li>a<ul><li>b</ul><li>c</ol>") == ["3. a", "  - b", "4. c"]


def test_headings_make_the_path() -> None:
    sections = read_html(b"<h1>A</h1><p>x<h2>B</h2><p>y").sections
    assert [section.heading_path for section in sections] == [("A",), ("A", "B")]


def test_the_title_is_the_heading_that_the_page_s_title_names_too() -> None:
    assert read_html(b"<title>Bees - The Site</title><h1>Bees</h1><p>x").title == "Bees"
    assert read_html(b"<title>Bees</title><h1>Welcome</h1><p>x").title == "Bees"


@pytest.mark.parametrize(
    "data",
    [
        "<meta charset=windows-1251><p>Привет</p>".encode("cp1251"),
        '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>Привет</p>'.encode(),
        "<meta charset=us-ascii><p>Привет</p>".encode(),
        "<p>Привет</p>".encode("utf-16"),
    ],
)
def test_a_page_is_decoded_as_it_says_where_its_bytes_agree(data: bytes) -> None:
    assert read_html(data).sections[0].blocks[0].text == "Привет"


def test_text_that_lies_deep_is_not_lost() -> None:
    assert texts("<div>" * 1_000 + "<p>deep text</p>" + "</div>" * 1_000 + "<p>after</p>") == ["deep text", "after"]


def test_verse_keeps_its_lines() -> None:
    assert texts("<p>One,<br>\n two</p>") == ["One,\ntwo"]


def test_hidden_text_is_not_read_and_a_formula_is() -> None:
    page = '<p>a<span style="display:none">no</span> b <math alttext="x^2"><mi>x</mi></math></p>'
    assert texts(page) == ["a b x^2"]


def test_a_page_of_nothing_has_no_section() -> None:
    assert read_html(b"<html><body></body></html>").sections == ()
    with pytest.raises(UnreadableFile):
        read_html(b"")
