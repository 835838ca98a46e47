"""The admin of what the pipeline keeps."""

from pipeline.admin.explain import explain_view
from pipeline.admin.help_lines import HelpLineAdmin

__all__ = ["HelpLineAdmin", "explain_view"]
