import csv
import unicodedata
from pathlib import Path

import pytest

from corpus.embeddings import token_counter
from corpus.errors import UnreadableFile
from corpus.ingestion.chunking import MAX_CHARACTERS, MAX_TOKENS, cut_chunks
from corpus.ingestion.reading import about_file, about_reading, can_read, read_file

REFUSED = {
    "page-image-no-text.pdf": "has no text layer: run OCR first",
    "needs-password.pdf": "needs a password",
    "broken-structure.pdf": "is broken",
    "whitespace-only.txt": "There is no text",
}
SAMPLES = Path(__file__).parents[4] / "shared" / "samples"


def expected() -> list[dict[str, str]]:
    table = SAMPLES / "expect.tsv"
    if not table.exists():
        return []
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [row for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if can_read(row["file"])]


def phrases(cell: str | None) -> list[str]:
    return [phrase.replace("\\0", "\x00") for phrase in (cell or "").split("|") if phrase]


@pytest.mark.skipif(not SAMPLES.exists(), reason="the folder of sample files, ../shared/samples, is not here")
@pytest.mark.parametrize("row", expected(), ids=lambda row: row["file"])
def test_a_sample_reads_as_its_table_says(row: dict[str, str]) -> None:
    data = (SAMPLES / row["file"]).read_bytes()
    if row["outcome"] == "refused":
        with pytest.raises(UnreadableFile, match=REFUSED[row["file"]]):
            read_file(row["file"], data)
        return

    reading = read_file(row["file"], data)
    about = about_reading(row["file"], reading)
    chunks = cut_chunks(reading.sections, title=about.title, count=token_counter())
    raw = "\n".join(chunk.text for chunk in chunks)
    folded = " ".join(unicodedata.normalize("NFKC", raw).replace("\u00ad", "").split())

    assert [phrase for phrase in phrases(row["must_contain"]) if phrase not in folded] == []
    assert [phrase for phrase in phrases(row["must_not_contain"]) if phrase in raw] == []
    assert about.title.startswith(row["title"] or "")
    assert max(chunk.tokens for chunk in chunks) <= MAX_TOKENS
    assert max(len(chunk.embedded_text) for chunk in chunks) <= MAX_CHARACTERS


PLACES = (
    ("childrens-literature.epub", "Black Brothers", "204 THE KING OF THE GOLDEN RIVER", "chapter"),
    (
        "winter-sports-in-switzerland.epub",
        "silly proverb which quite mistakenly",
        "CHAPTER I THE SUN-SEEKER",
        "chapter",
    ),
    ("wasteland.epub", "A crowd flowed over London Bridge", "I. THE BURIAL OF THE DEAD", "chapter"),
    ("kusamakura-ja.epub", "山路を登りながら", "一", "chapter"),
    ("trustee-handbook-872p.docx", "Nothing in this Handbook should be construed", "A. PURPOSE", "chapter"),
    ("footnote-endnote.docx", "My note.", "A footnote", ""),
    ("pdkids-public-domain.pdf", "The Buried Moon", "1", "page"),
    ("nul-ligatures-empty-pages.pdf", "LayoutParser provides a unified toolkit", "4", "page"),
)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the folder of sample files, ../shared/samples, is not here")
@pytest.mark.parametrize(("name", "phrase", "place", "kind"), PLACES, ids=[place[0] for place in PLACES])
def test_a_phrase_of_a_sample_stands_at_its_place(name: str, phrase: str, place: str, kind: str) -> None:
    sections = read_file(name, (SAMPLES / name).read_bytes()).sections
    found = [(one, block) for one in sections for block in one.blocks if phrase in block.text]
    named = [" > ".join(one.heading_path) if kind != "page" else block.locator["page"] for one, block in found]
    assert any(place in name for name in named)
    assert all(kind in {**one.locator, **block.locator} for one, block in found if kind)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the folder of sample files, ../shared/samples, is not here")
def test_lost_ligatures_of_a_sample_are_told() -> None:
    name = "nul-ligatures-empty-pages.pdf"
    warnings = read_file(name, (SAMPLES / name).read_bytes()).warnings
    assert any("3 NUL characters were removed" in warning for warning in warnings)


def test_an_unknown_format_is_refused_with_what_can_be_read() -> None:
    with pytest.raises(UnreadableFile, match=r"\.xyz cannot be read; what can be read is Markdown .*, PDF "):
        read_file("notes.xyz", b"text")


def test_a_file_without_text_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="There is no text in the file"):
        read_file("blank.md", b" \n* * *\n \x00")


def test_the_suffix_may_be_in_capitals() -> None:
    assert read_file("NOTES.TXT", b"text").sections[0].blocks[0].text == "text"


def test_a_title_falls_back_to_the_name_of_the_file() -> None:
    assert about_file("interview-2.md", b"**Ann:** Yes.").title == "interview-2"
    assert about_file("broken.md", b"%PDF-").title == "broken"


def test_a_language_that_the_file_gives_is_taken_if_it_is_one() -> None:
    assert about_file("a.md", b"---\ntitle: T\nlang: de-CH\n---\nText.").language == "de-CH"
    assert about_file("a.md", b"---\ntitle: T\nlang: Deutsch, etwas\n---\nText.").language == ""
