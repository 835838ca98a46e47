"""Django's entry for the project itself, which is an installed app."""

from django.apps import AppConfig


class SecondactConfig(AppConfig):
    """The project."""

    name = "secondact"
    default_auto_field = "django.db.models.BigAutoField"
