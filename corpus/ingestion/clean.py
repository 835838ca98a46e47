"""Making text fit to be stored, searched and shown: what no reader should see goes, what it means stays."""

import re
import unicodedata
from dataclasses import dataclass

_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
# Single letters drawn in a special form, Armenian to Arabic: their compatibility form is the letter itself. Not all
# of NFKC, which would also make 102 of 10².
_PRESENTATION_FORMS = re.compile("[\ufb13-\ufb4f\ufb50-\ufdf9\ufe70-\ufefc]")

_SOFT_HYPHEN_AT_LINE_END = re.compile("\u00ad[ \t]*\n[ \t]*")
_LINE_ENDS = re.compile("\r\n|[\r\v\x85\u2028]")
_PARAGRAPH_ENDS = re.compile("[\f\u2029]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Zero-width blanks and joiners that carry no meaning, soft hyphens, byte-order marks, and the controls that turn the
# direction of what follows. Joiners that shape Persian, Indic scripts and emoji (200C, 200D) stay.
_INVISIBLE = re.compile("[\u00ad\u180e\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]")
_NULS = re.compile("\\w{0,12}\x00+\\w{0,12}")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Clean text, and what an editor should know about the cleaning."""

    text: str
    warnings: tuple[str, ...] = ()


def clean(text: str) -> Cleaned:
    """The text without characters that cannot be stored or must not be shown, in composed form (NFC).

    Lines end in a line feed, every kind of blank is a plain one, typographic ligatures are letters. Cleaning clean text
    changes nothing.
    """
    warnings = tuple(warning for warning in (_nul_warning(text), _broken_warning(text)) if warning)
    text = _LINE_ENDS.sub("\n", text)
    text = _SOFT_HYPHEN_AT_LINE_END.sub("", text)
    text = _PARAGRAPH_ENDS.sub("\n\n", text)
    text = _SPACES.sub(" ", text)
    text = _INVISIBLE.sub("", _CONTROLS.sub("", _BROKEN.sub("", text)))
    for ligature, letters in _LIGATURES.items():
        text = text.replace(ligature, letters)
    text = _PRESENTATION_FORMS.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return Cleaned(unicodedata.normalize("NFC", text), warnings)


def one_line(text: str) -> str:
    """Clean text on one line without runs of blanks, as titles and headings need it."""
    return " ".join(clean(text).text.split())


def _nul_warning(text: str) -> str:
    count = text.count("\x00")
    if not count:
        return ""
    example = (match := _NULS.search(text)) and match.group().replace("\x00", "·")
    return (
        f"{count} NUL characters were removed, the first in “{example}”; they often stand for a lost ligature such as"
        " fi or ffi, so please check the text."
    )


def _broken_warning(text: str) -> str:
    count = len(_BROKEN.findall(text))
    return f"{count} broken characters were removed." if count else ""
