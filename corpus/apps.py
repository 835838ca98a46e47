"""Django's entry for this app."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The corpus app."""

    name = "corpus"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Saves and deletes in the graph's record are announced from here on."""
        from corpus.graph.changes import changes_listen

        changes_listen()
