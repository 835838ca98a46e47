import codecs

import pytest

from corpus.errors import UnreadableFile
from corpus.ingestion.readers.decoding import decode

ENGLISH = "This is a test document to use for unit tests.\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (codecs.BOM_UTF8 + "Können".encode(), "Können"),
        (codecs.BOM_UTF16_LE + "Können".encode("utf-16-le"), "Können"),
        (codecs.BOM_UTF16_BE + "Können".encode("utf-16-be"), "Können"),
        ("Können".encode(), "Können"),
    ],
)
def test_a_marked_or_plain_utf8_file_is_read_without_a_warning(data: bytes, text: str) -> None:
    decoded = decode(data)

    assert decoded.text == text
    assert decoded.warnings == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognised_and_doubted(encoding: str) -> None:
    decoded = decode(ENGLISH.encode(encoding))

    assert decoded.text == ENGLISH
    assert encoding.upper() in decoded.warnings[0]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Die schöne Frau kocht köstlich für ihre Gäste, und alle können kommen.", "cp1252"),
        ("Привет, это проверка кодировки. Как дела у вас сегодня?", "cp1251"),
        ("これは日本語のテストです。文字コードを調べます。", "shift_jis"),
    ],
)
def test_a_legacy_encoding_is_guessed_and_the_editor_is_told(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))

    assert decoded.text == text
    assert "a guess" in decoded.warnings[0]


def test_a_few_nul_characters_do_not_make_a_file_utf16() -> None:
    assert decode(b"The \x00rst and \x00nal step\n" * 40).text == "The rst and nal step\n" * 40


@pytest.mark.parametrize("data", [b"%PDF-1.7 ...", b"PK\x03\x04...", bytes(range(1, 9)) * 200])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="not text"):
        decode(data)
