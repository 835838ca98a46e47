from corpus.ingestion.readers.plain_text import read_plain_text
from corpus.ingestion.sections import Reading

WRAPPED = """\
CHAPTER I

"Well, Prince, so Genoa and Lucca are now just family estates of the
Buonapartes. But I warn you, if you don't tell me that this means war,
if you still try to defend the infamies, I will have nothing more to do
with you."

CHAPTER II. The reception

All her invitations without exception, written in French, and deliv-
ered by a scarlet-liveried footman that morning, ran as follows.
"""


def read(text: str) -> Reading:
    return read_plain_text(text.encode())


def texts(reading: Reading) -> list[str]:
    return [block.text for section in reading.sections for block in section.blocks]


def test_hard_wraps_are_undone_and_chapters_found() -> None:
    reading = read(WRAPPED)

    assert [section.heading_path for section in reading.sections] == [("CHAPTER I",), ("CHAPTER II. The reception",)]
    assert "just family estates of the Buonapartes. But I warn you" in texts(reading)[1]


def test_a_chapter_is_the_locator_of_its_text() -> None:
    assert read(WRAPPED).sections[0].locator == {"chapter": "CHAPTER I"}


def test_a_word_parted_at_the_line_end_is_whole_again() -> None:
    assert "delivered by a scarlet-liveried footman" in texts(read(WRAPPED))[-1]


def test_a_hyphen_that_the_text_writes_elsewhere_stays() -> None:
    line = "The well-known speaker of the evening came late, and so a well-\nknown guest left early.\n"

    assert texts(read(line)) == [line.strip().replace("-\n", "-")]


def test_short_lines_stay_lines() -> None:
    verse = "April is the cruellest month, breeding\nLilacs\nMixing\nMemory and desire"

    assert texts(read(verse + "\n\n" + "A full line of prose that runs to the very edge of it.\n" * 12))[0] == (
        "April is the cruellest month, breeding\nLilacs\nMixing\nMemory and desire"
    )


def test_long_lines_are_paragraphs() -> None:
    first, second = "One paragraph. " * 20, "Another paragraph. " * 20

    assert texts(read(f"{first}\n{second}\n")) == [first.strip(), second.strip()]


def test_a_part_holds_its_chapters() -> None:
    reading = read("PART ONE\n\nCHAPTER 1\n\nText of it.\n\nEPILOGUE\n\nEnd of it.\n")

    assert reading.sections[1].heading_path == ("PART ONE", "CHAPTER 1")
    assert reading.sections[2].heading_path == ("PART ONE", "EPILOGUE")


def test_a_sentence_that_begins_with_chapter_is_no_heading() -> None:
    reading = read(
        "Chapter one of my life began in a small town that had no railway and no river to speak of, so we walked.\n"
    )

    assert reading.sections[0].heading_path == ()
