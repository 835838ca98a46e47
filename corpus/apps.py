"""Django's entry for this app."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The corpus app."""

    name = "corpus"
    default_auto_field = "django.db.models.BigAutoField"
