"""The admin of what the pipeline keeps."""

from pipeline.admin.help_lines import HelpLineAdmin

__all__ = ["HelpLineAdmin"]
