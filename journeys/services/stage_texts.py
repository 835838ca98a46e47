"""The five stages of the way as they ship, and their loader."""

from dataclasses import dataclass

from django.db import transaction

from journeys.models import Stage


@dataclass(frozen=True, slots=True)
class _StageText:
    slug: str
    name: str
    description: str
    framing: str


STAGES = (
    _StageText(
        "looking-back",
        "Looking back",
        "You take stock of the working life behind you: what you are good at, what you are proud of, what has gone "
        "stale, and what you would like to keep.",
        "The member is taking stock of a first career. Prefer questions that help them name strengths, turning points "
        "and what they want to keep, and stories of people who stood at the same point. Do not push for plans.",
    ),
    _StageText(
        "letting-go",
        "Letting go",
        "You are parting with a title, a habit or a picture of yourself that no longer fits, and you live for a while "
        "without knowing what comes next.",
        "The member is parting with an old role. Prefer questions about endings, fear, money worries in general and "
        "the people around them, and about how others bore the time between. Do not hurry them onwards.",
    ),
    _StageText(
        "exploring",
        "Exploring",
        "You look around widely: ideas, fields, people. Nothing has to be decided; you collect what makes you curious.",
        "The member is looking around. Prefer open questions, unusual examples and concepts that connect what they "
        "asked about to fields they have not met yet. Offer breadth rather than a plan.",
    ),
    _StageText(
        "trying-out",
        "Trying out",
        "You test one or two ideas in small steps: a project, a course, a first customer. You learn what holds.",
        "The member is testing an idea. Prefer exercises, worksheets and questions about the next small step, how to "
        "tell whether it works, and what others learned from their first tries.",
    ),
    _StageText(
        "living",
        "Living the second act",
        "The new work has become your life. You deepen it, keep it healthy, and pass on what you have learned.",
        "The member lives their second act. Prefer questions about growing and keeping it, about mistakes that come "
        "with success, and about helping others who are on their way.",
    ),
)


def stages_load() -> None:
    """Store those of the five stages that are missing; what editors wrote meanwhile is left alone."""
    with transaction.atomic():
        for ordinal, text in enumerate(STAGES, start=1):
            Stage.objects.get_or_create(
                slug=text.slug,
                defaults={
                    "ordinal": ordinal,
                    "name": text.name,
                    "description": text.description,
                    "framing": text.framing,
                },
            )
