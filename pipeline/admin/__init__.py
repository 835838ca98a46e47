"""The admin of what the pipeline keeps, and what it tells the library's editors."""

from pipeline.admin.help_lines import HelpLineAdmin
from pipeline.admin.reach import intent_names

__all__ = ["HelpLineAdmin", "intent_names"]
