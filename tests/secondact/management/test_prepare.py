import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command

from corpus.models import EmbeddingSpace
from journeys.models import Member, Stage
from pipeline.models import HelpLine


@pytest.mark.django_db
def test_an_installation_gets_all_it_needs_to_answer_and_nobody_gets_in(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("prepare", verbosity=0)
    call_command("prepare", verbosity=0)

    assert capsys.readouterr().out == "The database is ready.\n" * 2
    assert EmbeddingSpace.objects.get().state == "active"
    assert Stage.objects.count() == 5
    assert HelpLine.objects.filter(country="").exists()
    assert Group.objects.get().permissions.filter(codename="add_document").exists()
    assert not Member.objects.exists()


@pytest.mark.django_db
def test_what_editors_changed_is_left_alone() -> None:
    call_command("prepare", verbosity=0)
    Stage.objects.filter(ordinal=1).update(name="Our own name")
    call_command("prepare", verbosity=0)
    assert Stage.objects.filter(name="Our own name").exists()
