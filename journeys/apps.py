"""Django's entry for this app."""

from django.apps import AppConfig


class JourneysConfig(AppConfig):
    """The journeys app."""

    name = "journeys"
    default_auto_field = "django.db.models.BigAutoField"
