"""The stored help lines: loading the texts that ship, and reading the one for a country."""

import re

from pipeline.care import shipped_help_texts
from pipeline.models import HelpLine

APPROVED_BY = "sample, to be approved"
MAX_HELP_TEXT = 2_000

# A telephone number of three digits or more, or a web address: without either nobody can be reached.
_REACHED_BY = re.compile(r"\d[\d ().-]*\d[\d ().-]*\d|\b[\w-]+\.(?:[a-z]{2,})\b", re.IGNORECASE)


def country_code(text: str) -> str:
    """The two capitals of an ISO 3166 code; "" for all other countries. Raises ValueError."""
    code = text.strip().upper()
    if code and not re.fullmatch("[A-Z]{2}", code):
        raise ValueError("A country is given by its two letters, as GB or DE; leave it empty for all others.")
    return code


def help_text(text: str) -> str:
    """The text trimmed and with plain line ends. Raises ValueError when nobody could be reached by it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(plain) > MAX_HELP_TEXT:
        raise ValueError(f"At most {MAX_HELP_TEXT:,} characters: somebody in danger must see the number at once.")
    if not _REACHED_BY.search(plain):
        raise ValueError("The text must name a telephone number or a web address.")
    return plain


def help_lines_load() -> int:
    """Store the shipped texts of countries that have none yet, and return how many. A text that is there stays."""
    texts = shipped_help_texts()
    stored = set(HelpLine.objects.values_list("country", flat=True))
    new = [HelpLine(country=country, text=text, approved_by=APPROVED_BY) for country, text in texts.items()]
    missing = [line for line in new if line.country not in stored]
    HelpLine.objects.bulk_create(missing, ignore_conflicts=True)
    return len(missing)


def help_line_text(country: str) -> str:
    """The approved text for a country, else the one for all others; "" when neither is stored."""
    lines = HelpLine.objects.filter(country__in=("", country.strip().upper())).order_by("-country")
    return lines.values_list("text", flat=True).first() or ""
