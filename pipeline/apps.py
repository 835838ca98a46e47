"""Django's entry for this app."""

from django.apps import AppConfig


class PipelineConfig(AppConfig):
    """The pipeline app."""

    name = "pipeline"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for sign-outs."""
        # Not before: it needs the models.
        from pipeline import signing_out

        signing_out.connect()
