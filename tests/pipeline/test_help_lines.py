"""The stored help lines."""

import pytest

from pipeline.care import shipped_help_texts
from pipeline.help_lines import APPROVED_BY, help_line_text, help_lines_load
from pipeline.models import HelpLine

pytestmark = pytest.mark.django_db


def test_loading_stores_every_text_once_marked_as_a_sample() -> None:
    assert help_lines_load() == len(shipped_help_texts())
    assert help_lines_load() == 0
    assert set(HelpLine.objects.values_list("approved_by", flat=True)) == {APPROVED_BY}


def test_loading_never_overwrites_an_edited_text() -> None:
    HelpLine.objects.create(country="GB", text="Ours.", approved_by="An editor")
    help_lines_load()

    assert HelpLine.objects.get(country="GB").text == "Ours."


def test_a_countrys_text_or_the_one_for_all_others() -> None:
    help_lines_load()

    assert "116 123" in help_line_text("gb")
    assert help_line_text("BR") == help_line_text("") == shipped_help_texts()[""]


def test_without_any_text_it_is_empty() -> None:
    assert help_line_text("GB") == ""
