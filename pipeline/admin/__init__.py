"""The admin of what the pipeline keeps, and what it tells the library's editors."""

from pipeline.admin.explain import explain_view
from pipeline.admin.help_lines import HelpLineAdmin
from pipeline.admin.reach import intent_names

__all__ = ["HelpLineAdmin", "explain_view", "intent_names"]
