"""Django's entry for the project itself, which is an installed app."""

from django.apps import AppConfig


class SecondactConfig(AppConfig):
    """The project."""

    name = "secondact"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the Celery application the one that `shared_task` binds to."""
        from secondact import celery  # noqa: F401  (importing it is what sets it)
