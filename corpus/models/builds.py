"""How far the building of an embedding space is."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from corpus.models.spaces import EmbeddingSpace


class SpaceBuild(models.Model):
    """The work of giving every chunk a vector in a space that does not answer questions (yet, or any more)."""

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        PAUSED = "paused", _("Paused")
        DONE = "done", _("Complete")
        FAILED = "failed", _("Failed")

    space = models.OneToOneField(EmbeddingSpace, on_delete=models.CASCADE, primary_key=True, related_name="build")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    done = models.PositiveIntegerField(default=0, help_text=_("Chunks that have a vector in it."))
    total = models.PositiveIntegerField(default=0, help_text=_("Chunks there are."))
    then_switch = models.BooleanField(default=False, help_text=_("Let it answer questions once it is complete."))
    reason = models.TextField(blank=True, help_text=_("What it waits for, or why it failed."))
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.space}: {self.get_state_display()}, {self.done} of {self.total}"
