"""What the pipeline itself keeps: the help lines of a turn about danger."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class HelpLine(models.Model):
    """An approved text with the help lines of a country; the one without a country serves all others."""

    country = models.CharField(max_length=2, blank=True, unique=True, help_text=_("ISO 3166 code; empty: all others."))
    text = models.TextField()
    approved_by = models.CharField(max_length=120)
    updated_at = models.DateTimeField(auto_now=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("country",)
        constraints = [models.CheckConstraint(condition=~models.Q(text=""), name="help_line_has_text")]

    def __str__(self) -> str:
        return self.country or str(_("all other countries"))
