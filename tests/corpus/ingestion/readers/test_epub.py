from contextlib import suppress

import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.archive import ArchiveLimits
from corpus.ingestion.readers.epub import read_epub
from tests.corpus.ingestion.zipped import CONTAINER, epub, zipped


def paths(data: bytes) -> list[tuple[str, ...]]:
    return [section.heading_path for section in read_epub(data).sections]


def test_chapters_come_from_the_contents_and_a_heading_that_says_the_same_is_said_once() -> None:
    nav = '<li><a href="a.xhtml">1\n\t First steps</a></li><li><a href="a.xhtml#two">2 Later</a></li>'
    data = epub({"a.xhtml": '<h2>First steps</h2><p>Go.</p><h3 id="two">2 Later</h3><p>Rest.</p>'}, nav=nav)
    assert paths(data) == [("1 First steps",), ("2 Later",)]
    assert read_epub(data).sections[1].locator == {"chapter": "2 Later"}
    assert [block.text for block in read_epub(data).sections[0].blocks] == ["1 First steps", "Go."]


def test_a_chapter_goes_on_in_the_next_file() -> None:
    data = epub({"a.xhtml": "<p>One.</p>", "b.xhtml": "<p>Two.</p>"}, nav='<li><a href="a.xhtml">Ch</a></li>')
    assert paths(data) == [("Ch",)]


def test_a_book_without_contents_is_read_by_its_headings() -> None:
    data = epub({"a.xhtml": "<h1>One</h1><p>a</p><h1>Two</h1><p>b</p>"})
    assert [section.locator for section in read_epub(data).sections] == [{"chapter": "One"}, {"chapter": "Two"}]


def test_readings_beside_japanese_words_are_not_glued_into_them() -> None:
    data = epub({"a.xhtml": "<p><ruby>山路<rp>(</rp><rt>やまみち</rt><rp>)</rp></ruby>を\n登り</p>"})
    assert read_epub(data).sections[0].blocks[0].text == "山路を登り"


def test_a_missing_chapter_is_named_and_the_rest_is_read() -> None:
    reading = read_epub(epub({"a.xhtml": "<p>One.</p>", "gone.xhtml": ""}))
    assert reading.warnings == ("The chapter OPS/gone.xhtml is missing from the file.",)
    assert reading.sections[0].blocks[0].text == "One."


def test_authors_are_the_creators_without_another_role() -> None:
    metadata = (
        "<dc:title>T</dc:title><dc:language>de</dc:language><dc:creator>Ann</dc:creator>"
        '<dc:creator id="x">Bob</dc:creator><meta refines="#x" property="role">trl</meta>'
    )
    reading = read_epub(epub({"a.xhtml": "<p>a</p>"}, metadata=metadata))
    assert (reading.title, reading.language, reading.creator) == ("T", "de", "Ann")


def test_a_file_named_as_an_entity_is_not_read() -> None:
    package = (
        '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><package xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<metadata><dc:title>A&x;B</dc:title></metadata><manifest><item id="a" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    data = epub({"a.xhtml": "<p>One.</p>"}, **{"OPS/book.opf": package})
    assert read_epub(data).title == "AB"


def test_a_harmless_doctype_with_named_characters_is_read() -> None:
    dtd = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    chapter = f"{dtd}<html><body><p>caf&eacute;&nbsp;<b>open</b></p></body></html>"
    data = epub({"a.xhtml": "<p>x</p>"}, **{"OPS/a.xhtml": chapter})
    assert read_epub(data).sections[0].blocks[0].text.replace("\u00a0", " ") == "café open"


def test_a_protected_book_is_refused() -> None:
    locked = '<encryption><EncryptedData><EncryptionMethod Algorithm="aes256"/></EncryptedData></encryption>'
    with pytest.raises(UnreadableFile, match="protected against copying"):
        read_epub(epub({"a.xhtml": "<p>x</p>"}, **{"META-INF/encryption.xml": locked}))


def test_a_part_that_unpacks_to_far_more_than_it_holds_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="far more than it holds"):
        read_epub(zipped({"META-INF/container.xml": b" " * 30_000_000}))


def test_an_archive_of_too_many_parts_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="11 parts"):
        read_epub(zipped({f"{at}": "x" for at in range(11)}), ArchiveLimits(entries=10))


def test_a_damaged_archive_is_refused_and_nothing_else() -> None:
    whole = epub({"a.xhtml": "<p>One.</p>" * 50})
    for at in range(0, len(whole), 7):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        with suppress(UnreadableFile):
            read_epub(damaged)


@pytest.mark.parametrize("data", [b"no zip", zipped({"a": "b"}), zipped({"META-INF/container.xml": CONTAINER})])
def test_what_is_no_book_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="broken"):
        read_epub(data)
