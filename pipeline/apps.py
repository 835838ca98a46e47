"""Django's entry for this app."""

from django.apps import AppConfig


class PipelineConfig(AppConfig):
    """The pipeline app."""

    name = "pipeline"
    default_auto_field = "django.db.models.BigAutoField"
