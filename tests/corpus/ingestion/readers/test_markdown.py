import pytest

from corpus.ingestion.readers.markdown import read_markdown
from corpus.ingestion.sections import Reading


def read(text: str) -> Reading:
    return read_markdown(text.encode())


def paths(reading: Reading) -> list[tuple[str, ...]]:
    return [section.heading_path for section in reading.sections]


def texts(reading: Reading) -> list[str]:
    return [block.text for section in reading.sections for block in section.blocks]


def test_a_hash_in_fenced_code_is_no_heading() -> None:
    reading = read("# Guide\n```bash\n# install\npip x\n```\n## Next\ntext")

    assert paths(reading) == [("Guide",), ("Guide", "Next")]
    assert texts(reading) == ["Guide", "# install\npip x", "Next", "text"]


def test_a_hash_in_indented_code_is_no_heading() -> None:
    assert paths(read("# Guide\n\n    # sub status {\n")) == [("Guide",)]


def test_closing_hashes_tabs_and_no_break_spaces_are_understood() -> None:
    assert paths(read("# Title ##\n#\tTabbed\n#\u00a0Spaced\n# C#\n")) == [
        ("Title",),
        ("Tabbed",),
        ("Spaced",),
        ("C#",),
    ]


def test_underlined_headings_count() -> None:
    assert paths(read("Guide\n=====\n\nNext\n----\n\ntext")) == [("Guide",), ("Guide", "Next")]


def test_a_heading_of_a_higher_level_ends_the_deeper_ones() -> None:
    assert paths(read("# A\n### B\n## C\n# D\n")) == [("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_the_first_heading_is_the_title() -> None:
    assert read("Words.\n\n## können *so*\n\n# Later").title == "können so"


def test_without_a_heading_there_is_no_title() -> None:
    assert read("**Mireille B. Reece, Psy.D:** My husband").title == ""


@pytest.mark.parametrize(
    "matter",
    ["---\ntitle: 'The Guide'\nlang: de\n---\n", "% The\n  Guide\n% John\n% July 17, 2006\n"],
)
def test_front_matter_is_taken_as_title_and_not_as_text(matter: str) -> None:
    reading = read(matter + "\nBody.")

    assert reading.title == "The Guide"
    assert texts(reading) == ["Body."]


def test_a_ruled_line_at_the_top_is_no_front_matter() -> None:
    assert "Not a field" in " ".join(texts(read("---\n\nNot a field, a text.\n\n---\n\nMore.")))


def test_speakers_in_bold_stay_with_their_words() -> None:
    assert texts(read("**Adam:** Right,\ndon't do *that*.")) == ["Adam: Right, don't do that."]


def test_lists_keep_their_numbers_and_depth() -> None:
    assert texts(read("3. one\n4. two\n   - deep\n\n     more\n")) == ["3. one", "4. two", "  - deep", "    more"]


def test_a_table_is_a_row_a_block() -> None:
    assert texts(read("| a | b |\n|---|---|\n| 1 | **2** |\n")) == ["a | b", "1 | 2"]


def test_tags_and_scripts_fall_away_and_their_words_stay() -> None:
    reading = read("<div>Hello <b>you</b><script>alert(1)</script></div>\n\nin <i>line</i> [link](https://example.org)")

    assert texts(reading) == ["Hello you", "in line link"]


def test_headings_in_a_quotation_are_its_text() -> None:
    reading = read("# Guide\n\n> # Said\n> so\n")

    assert paths(reading) == [("Guide",)]
    assert texts(reading) == ["Guide", "Said", "so"]
