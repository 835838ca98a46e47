"""Members, profiles and the demo accounts."""

import pytest

from journeys.errors import InvalidValue
from journeys.models import Member, Profile
from journeys.services import member_create, members_demo, profile_update


def test_a_new_member_has_an_empty_profile(member: Member) -> None:
    profile = Profile.objects.get(member=member)
    assert (profile.stage_id, profile.persona_id, profile.country) == (None, None, "")


def test_an_email_is_taken_however_it_is_cased(member: Member) -> None:
    with pytest.raises(InvalidValue):
        member_create(email=member.email.upper(), password="a-long-enough-one")


@pytest.mark.django_db
def test_what_is_no_email_is_refused() -> None:
    for email in ["", "nobody", "a\x00b@example.org"]:
        with pytest.raises(InvalidValue):
            member_create(email=email, password="a-long-enough-one")


def test_a_country_is_two_letters(member: Member) -> None:
    assert profile_update(member=member, changes={"country": "gb"}).country == "GB"
    with pytest.raises(InvalidValue):
        profile_update(member=member, changes={"country": "1!"})


@pytest.mark.django_db
def test_the_demo_accounts_can_be_made_twice() -> None:
    members_demo(password="secondact")
    members_demo(password="secondact")
    editor = Member.objects.get(email="editor@example.org")
    assert Member.objects.count() == 2
    assert editor.is_staff
    assert not editor.is_superuser


@pytest.mark.django_db
def test_an_editor_curates_the_library_and_lets_members_in_and_out() -> None:
    members_demo(password="secondact")
    allowed = Member.objects.get(email="editor@example.org").get_all_permissions()
    assert {
        "corpus.change_document",
        "corpus.add_persona",
        "pipeline.change_helpline",
        "journeys.change_stage",
    } <= allowed
    of_members = {name for name in allowed if "member" in name or "turn" in name or "conversation" in name}
    assert of_members == {"journeys.view_member", "journeys.change_member"}
    assert {name for name in allowed if "permission" in name or "group" in name or "emailaddress" in name} == set()
    assert "pipeline.add_helpline" not in allowed
