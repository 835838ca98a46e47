"""The stored help lines: loading the texts that ship, and reading the one for a country."""

from pipeline.care import shipped_help_texts
from pipeline.models import HelpLine

APPROVED_BY = "sample, to be approved"


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
