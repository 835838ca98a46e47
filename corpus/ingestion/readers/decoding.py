"""Bytes to text: a byte-order mark first, then the pattern of UTF-16, then strict UTF-8, and only then a guess."""

import codecs

import charset_normalizer

from corpus.errors import UnreadableFile
from corpus.ingestion.clean import Cleaned, clean

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_TEXT = (b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf")
_NUL_SHARE = 0.3
"""Of the bytes in even (or odd) places, when Latin text is in UTF-16 without a mark."""
_CONTROL_SHARE = 0.05
"""Past this share of control characters a file is no text, whatever its name says."""
_GUESS_BYTES = 200_000
_WESTERN = ("cp1252", "cp1250", "cp1254", "cp1257", "latin_1", "iso8859_2", "iso8859_15", "iso8859_16", "mac_roman")
"""Guesses that differ by a few accented letters, so that a short text cannot tell them apart."""


def decode(data: bytes, usual: str = "") -> Cleaned:
    """The file's text, cleaned, with a warning when its encoding was guessed. Raises UnreadableFile.

    `usual` is the western encoding that files of this format mostly have when they do not say.
    """
    if data.startswith(_NOT_TEXT):
        raise UnreadableFile("The file is not text, whatever its name says.")
    encoding, warning = _encoding(data, usual)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"The file looks like {encoding} but is damaged; save it as UTF-8.") from error
    controls = sum(character < " " and character not in "\x00\t\n\v\f\r" for character in text)
    if controls > len(text) * _CONTROL_SHARE:
        raise UnreadableFile("The file is not text, whatever its name says.")
    cleaned = clean(text)
    return Cleaned(cleaned.text, (warning, *cleaned.warnings) if warning else cleaned.warnings)


def _encoding(data: bytes, usual: str) -> tuple[str, str]:
    """The encoding, and a warning when it is a guess."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, ""
    if encoding := _unmarked_utf16(data):
        return encoding, f"The file has no byte-order mark and was read as {encoding.upper()}; please check the text."
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data, usual)
    return "utf-8", ""


def _unmarked_utf16(data: bytes) -> str:
    half = max(len(data) // 2, 1)
    even, odd = data[0::2].count(0) / half, data[1::2].count(0) / half
    if len(data) % 2 or max(even, odd) < _NUL_SHARE or min(even, odd) > _NUL_SHARE / 3:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _guess(data: bytes, usual: str) -> tuple[str, str]:
    best = charset_normalizer.from_bytes(data[:_GUESS_BYTES]).best()
    guesses = [best.encoding, "cp1252"] if best else ["cp1252"]
    if best and "cp1252" in best.could_be_from_charset:
        guesses.reverse()  # The same text by the commoner name.
    if usual and guesses[0] in _WESTERN:
        guesses.insert(0, usual)
    for encoding in guesses:
        try:
            data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        return (
            encoding,
            f"The file is not UTF-8; it was read as {encoding}, a guess. Please check its accented letters.",
        )
    raise UnreadableFile("The encoding of the text cannot be told; save the file as UTF-8.")
