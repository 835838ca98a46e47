"""Who is asking, and how far they have come: the Journey DB."""

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from journeys.invitations import Invitation as Invitation  # Django looks for models here

QUESTION_MAX_CHARACTERS = 4_000
TITLE_MAX_CHARACTERS = 120


class MemberManager(BaseUserManager["Member"]):
    """Makes members, who sign in by e-mail."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "Member":
        """Make a member with this e-mail, lower-cased and counted as confirmed. Raises ValueError when it is blank."""
        if not email.strip():
            raise ValueError("A member needs an e-mail address.")
        member = self.model(email=email.strip().lower(), **fields)
        member.set_password(password)
        member.save(using=self._db)
        member.emailaddress_set.create(email=member.email, verified=True, primary=True)  # type: ignore[attr-defined]
        return member

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "Member":
        """Make a member who may do everything in the admin."""
        return self.create_user(email, password, **{"is_staff": True, "is_superuser": True, **fields})

    def get_by_natural_key(self, username: str | None) -> "Member":
        """The member who signs in with this e-mail, however it is cased."""
        return self.get(email__iexact=username)


class Member(AbstractUser):
    """A member of the society, known by e-mail and without a username."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[MemberManager] = MemberManager()  # type: ignore[assignment]

    class Meta:
        ordering = ("email",)
        constraints = [models.UniqueConstraint(Lower("email"), name="member_email_once")]

    def __str__(self) -> str:
        return self.email


class Stage(models.Model):
    """A stretch of the way, from looking back to living the second act."""

    slug = models.SlugField(primary_key=True, max_length=40)
    ordinal = models.PositiveSmallIntegerField(unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField()
    framing = models.TextField(help_text=_("How suggestions are framed for a member at this stage."))

    class Meta:
        ordering = ("ordinal",)

    def __str__(self) -> str:
        return self.name


class Profile(models.Model):
    """What a member told us about themselves. Empty means not asked or not sure."""

    member = models.OneToOneField(Member, primary_key=True, on_delete=models.CASCADE, related_name="profile")
    stage = models.ForeignKey(Stage, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    persona = models.ForeignKey("corpus.Persona", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    country = models.CharField(max_length=2, blank=True, help_text=_("ISO 3166 code, for the help lines."))
    share_questions = models.BooleanField(default=False, help_text=_("Editors may see single questions."))

    def __str__(self) -> str:
        return f"Profile of {self.member_id}"


class StageChange(models.Model):
    """A step on the way that was proposed, taken, declined or taken back. Rows are only added, never rewritten."""

    class Kind(models.TextChoices):
        PROPOSED = "proposed", _("Proposed")
        ACCEPTED = "accepted", _("Accepted")
        DECLINED = "declined", _("Declined")
        CORRECTED = "corrected", _("Corrected")
        UNDONE = "undone", _("Undone")

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="stage_changes")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    before = models.ForeignKey(Stage, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey(Stage, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    turn = models.ForeignKey("Turn", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    resolves = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="resolution",
        help_text=_("The proposal it answers, or the change it takes back."),
    )
    by_member = models.BooleanField(default=True, help_text=_("False when the rules proposed it."))
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ("member", "number")
        constraints = [models.UniqueConstraint(fields=["member", "number"], name="stage_change_number_once")]

    def __str__(self) -> str:
        return f"{self.member_id} {self.kind} {self.before_id} -> {self.after_id}"


class Conversation(models.Model):
    """A member's thread of questions and answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=TITLE_MAX_CHARACTERS, blank=True)
    title_edited = models.BooleanField(default=False)
    turn_count = models.PositiveIntegerField(default=0, help_text=_("The number of its latest turn."))
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("-changed_at", "id")
        indexes = [models.Index(fields=["member", "-changed_at", "id"])]

    def __str__(self) -> str:
        return self.title or str(self.id)


class Turn(models.Model):
    """One question and its answer, with everything needed to show it again."""

    class Status(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted")
        RUNNING = "running", _("Running")
        ANSWERED = "answered", _("Answered")
        NOT_COVERED = "not_covered", _("Not covered")
        CLARIFIED = "clarified", _("Asked back")
        REFUSED = "refused", _("Refused")
        CUT = "cut", _("Cut at the limit")
        STOPPED = "stopped", _("Stopped")
        FAILED = "failed", _("Failed")
        INTERRUPTED = "interrupted", _("Interrupted")

    UNFINISHED = (Status.ACCEPTED, Status.RUNNING)
    # A stopped or cut answer was read by the member and counts as far as it went; failed and interrupted ones do not.
    REMEMBERED = (Status.ANSWERED, Status.NOT_COVERED, Status.CUT, Status.STOPPED, Status.CLARIFIED)
    MAY_RETRY = (Status.FAILED, Status.INTERRUPTED, Status.STOPPED, Status.CUT, Status.NOT_COVERED, Status.REFUSED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.ACCEPTED)

    question = models.TextField()
    # The clarification this turn answers.
    answers = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="answered_by")
    answer_anyway = models.BooleanField(default=False)
    replaces = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by")
    mode = models.CharField(max_length=10, blank=True, help_text=_("again or continue, for a retry."))
    # Null where none was given, so that the constraint does not count those.
    idempotency_key = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001
    request_hash = models.CharField(max_length=64, blank=True)

    intent = models.CharField(max_length=30, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    clarity = models.FloatField(null=True, blank=True)
    standalone_question = models.TextField(blank=True)
    search = models.JSONField(default=dict, blank=True, help_text=_('{"keywords": ..., "texts": [{"text", "weight"}]}'))
    concepts = models.JSONField(default=list, blank=True)
    needs_retrieval = models.BooleanField(null=True, blank=True)
    space = models.CharField(max_length=60, blank=True)
    care = models.BooleanField(default=False)

    answer = models.TextField(blank=True)
    stop_reason = models.CharField(max_length=30, blank=True)
    clarification = models.JSONField(null=True, blank=True, help_text=_('{"question": ..., "options": [...]}'))
    sources = models.JSONField(default=list, blank=True)
    citations = models.JSONField(default=list, blank=True)
    sources_used = models.JSONField(default=list, blank=True)
    suggestions = models.JSONField(default=list, blank=True)
    journey = models.JSONField(default=dict, blank=True, help_text=_("Stage and proposed stage, as sent."))
    degraded = models.JSONField(default=list, blank=True)
    timings = models.JSONField(default=dict, blank=True, help_text=_("Milliseconds a node."))
    usage = models.JSONField(default=dict, blank=True, help_text=_("Tokens a node."))
    prompts = models.JSONField(default=dict, blank=True, help_text=_("Prompt version a node."))
    error_code = models.CharField(max_length=60, blank=True)
    error_message = models.TextField(blank=True)

    last_seq = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_owner = models.UUIDField(null=True, blank=True)
    stop_requested_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("conversation", "number")
        constraints = [
            models.UniqueConstraint(fields=["conversation", "number"], name="turn_number_once"),
            models.UniqueConstraint(
                fields=["conversation"],
                condition=models.Q(status__in=["accepted", "running"]),
                name="one_run_in_a_conversation",
            ),
            models.UniqueConstraint(fields=["conversation", "idempotency_key"], name="idempotency_key_once"),
            models.CheckConstraint(condition=~models.Q(question=""), name="turn_has_a_question"),
        ]
        indexes = [models.Index(fields=["status", "lease_until"])]

    def __str__(self) -> str:
        return f"{self.conversation_id} #{self.number} ({self.status})"

    @property
    def finished(self) -> bool:
        """Whether its status is a terminal one."""
        return self.status not in self.UNFINISHED


class Feedback(models.Model):
    """What a member thought of one answer."""

    class Rating(models.TextChoices):
        UP = "up", _("Helpful")
        DOWN = "down", _("Not helpful")

    turn = models.OneToOneField(Turn, primary_key=True, on_delete=models.CASCADE, related_name="feedback")
    rating = models.CharField(max_length=4, choices=Rating.choices)
    reason = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return f"{self.rating} for {self.turn_id}"
