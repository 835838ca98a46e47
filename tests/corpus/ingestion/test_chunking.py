import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.embeddings import token_counter
from corpus.ingestion.chunking import MAX_CHARACTERS, MAX_TOKENS, CutChunk, cut_chunks
from corpus.ingestion.prefix import MAX_PREFIX_TOKENS
from corpus.ingestion.readers.markdown import read_markdown
from corpus.ingestion.reading import read_file
from corpus.ingestion.sections import Block, BlockKind, Outline, Section

count = token_counter()

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=40)
long_words = st.builds(lambda text, times: text * times, words, st.integers(1, 120))
blocks = st.builds(
    Block,
    st.lists(words | long_words, min_size=1, max_size=60).map(" ".join),
    st.sampled_from([BlockKind.PROSE, BlockKind.LINES, BlockKind.ITEM, BlockKind.ROW]),
)
sections = st.lists(
    st.builds(Section, st.lists(words | long_words, max_size=4).map(tuple), st.lists(blocks, max_size=6).map(tuple)),
    max_size=4,
)


def cut(markdown: str, title: str = "T") -> list[CutChunk]:
    return cut_chunks(read_file("a.md", markdown.encode()).sections, title=title, count=count)


def letters(text: str) -> str:
    return "".join(text.split())


@settings(max_examples=25, deadline=None)
@given(sections, words)
def test_every_chunk_is_within_its_limits(found: list[Section], title: str) -> None:
    for chunk in cut_chunks(found, title=title, count=count):
        assert count(chunk.embedded_text) == chunk.tokens <= MAX_TOKENS
        assert len(chunk.embedded_text) <= MAX_CHARACTERS
        assert count(chunk.prefix) <= MAX_PREFIX_TOKENS
        assert chunk.text.strip()


@settings(max_examples=25, deadline=None)
@given(sections)
def test_no_letter_is_lost_or_said_twice(found: list[Section]) -> None:
    def said(text: str) -> str:
        return "".join(character for character in text if character.isalnum())

    chunks = cut_chunks(found, title="T", count=count)

    assert said("".join(c.text for c in chunks)) == said("".join(b.text for s in found for b in s.blocks))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("run.txt", b"word" * 60_000),
        ("chinese.txt", ("人人生而自由" * 5_000).encode()),
        ("table.md", b"| a | b |\n|---|---|\n| " + b"cell text " * 4_000 + b"| y |\n"),
        ("dashes.txt", b"end " + b"-" * 5_000 + b" end"),
        ("korean.txt", ("가각간갇갈" * 400).encode()),
        ("thai.txt", ("มนุษย์ทั้งหลายเกิดมามีอิสระ" * 60).encode()),
    ],
)
def test_a_text_without_gaps_is_cut_all_the_same(name: str, data: bytes) -> None:
    reading = read_file(name, data)
    chunks = cut_chunks(reading.sections, title="T", count=count)

    assert max(chunk.tokens for chunk in chunks) <= MAX_TOKENS
    assert max(len(chunk.embedded_text) for chunk in chunks) <= MAX_CHARACTERS
    assert sum(len(letters(chunk.text)) for chunk in chunks) >= sum(map(str.isalnum, data.decode()))


def test_no_word_is_too_long_for_the_tokenizer() -> None:
    assert max(len(word) for chunk in cut("wörd" * 600) for word in chunk.text.split()) <= 100


def test_a_chunk_never_spans_two_sections() -> None:
    chunks = cut("# Guide\n```bash\n# install\npip x\n```\n## Next\ntext")

    assert [(chunk.heading_path, chunk.text) for chunk in chunks] == [
        (("Guide",), "Guide\n\n# install\npip x"),
        (("Guide", "Next"), "Next\n\ntext"),
    ]


def test_a_heading_above_a_deeper_one_makes_no_chunk_of_its_own() -> None:
    chunks = cut("# Guide\n## Next\ntext")

    assert [(chunk.heading_path, chunk.text) for chunk in chunks] == [(("Guide", "Next"), "Guide\n\nNext\n\ntext")]


def test_the_prefix_names_title_and_headings_that_the_text_does_not() -> None:
    sentence = "The quick brown fox jumps over the lazy dog near the river. "
    first, second, *_ = cut(f"# Part\n## Chapter\n{sentence * 40}", title="Book")

    assert first.prefix == "Book"
    assert first.text.startswith("Part\n\nChapter\n\nThe quick")
    assert second.prefix == "Book\nPart > Chapter"


def test_the_outer_headings_give_way_in_a_long_prefix() -> None:
    outer, inner = "outer words " * 40, "inner words"
    outline = Outline()
    outline.heading(outer.strip(), 1)
    outline.block("first")
    outline.heading(inner, 2)
    outline.block("The quick brown fox jumps over the lazy dog near the river. " * 40)

    chunks = cut_chunks(outline.sections(), title="Book", count=count)

    assert chunks[-1].prefix == "Book\ninner words"


def test_paragraphs_are_kept_whole_where_they_fit() -> None:
    turn = "**Ann:** " + "Something that is said in a conversation by one person. " * 12
    chunks = cut("\n\n".join([turn] * 6))

    assert [chunk.text.count("Ann:") for chunk in chunks] == [1] * 6
    assert all(chunk.text.startswith("Ann:") for chunk in chunks)


def test_a_tiny_last_piece_is_joined_or_evened_out() -> None:
    sentences = [f"Sentence number {number} says something of its own about the matter." for number in range(40)]
    chunks = cut(" ".join(sentences) + "\n\nTiny end.")

    assert min(chunk.tokens for chunk in chunks) > 30


def test_list_items_stand_on_lines_and_paragraphs_apart() -> None:
    assert cut("Before.\n\n- one\n- two\n\nAfter.")[0].text == "Before.\n\n- one\n- two\n\nAfter."


def test_another_title_moves_no_end_of_a_chunk() -> None:
    text = "\n\n".join(
        f"Paragraph {number}. " + "It says something long enough. " * (number % 7 + 2) for number in range(30)
    )

    assert [c.text for c in cut(text, title="T")] == [c.text for c in cut(text, title="A very much longer title " * 8)]


def test_an_edit_changes_few_chunks() -> None:
    paragraphs = [
        f"Paragraph {number}. " + f"It says something {number} here. " * (number % 7 + 3) for number in range(90)
    ]
    before = {chunk.content_hash for chunk in cut("\n\n".join(paragraphs))}
    paragraphs[10] += "And one thing more, which was forgotten before. " * 3
    after = {chunk.content_hash for chunk in cut("\n\n".join(paragraphs))}

    assert len(after - before) <= len(after) // 3


def test_equal_text_under_another_heading_is_another_content() -> None:
    one, two = cut_chunks(read_markdown(b"# A\n\nText.\n\n# B\n\nText.").sections, title="T", count=count)

    assert one.content_hash != two.content_hash


def test_a_table_s_head_stands_above_its_rows_in_every_chunk() -> None:
    rows = "".join(f"| plum {at} | blue and small and sweet in autumn, number {at} |\n" for at in range(60))
    chunks = cut(f"# Fruit\n\n| Name | Colour |\n|---|---|\n{rows}\nAfter the table.\n")

    assert len(chunks) > 3
    assert [chunk.text.count("Name | Colour") for chunk in chunks] == [1] * len(chunks)
    assert all(chunk.text.startswith("Name | Colour\nplum ") for chunk in chunks[1:])
    assert sorted(line for chunk in chunks for line in chunk.text.splitlines() if line.startswith("plum")) == sorted(
        f"plum {at} | blue and small and sweet in autumn, number {at}" for at in range(60)
    )


def test_a_head_that_is_longer_than_a_third_of_a_chunk_is_said_once() -> None:
    head = "long heading " * 60
    chunks = cut(f"| {head} | b |\n|---|---|\n" + "| some cell text here | y |\n" * 60)

    assert "".join(chunk.text for chunk in chunks).count("long heading") == 60


def test_a_chunk_stands_on_the_pages_it_covers_and_at_the_time_it_begins() -> None:
    outline = Outline()
    for page in (4, 5):
        outline.place({"page": str(page)})
        outline.block(f"What page {page} says.")
    (chunk,) = cut_chunks(outline.sections(), title="T", count=count)
    assert chunk.locator == {"page": "4\u20135"}

    spoken = Section((), (Block("One.", locator={"time": "0:01:00"}), Block("Two.", locator={"time": "0:02:00"})))
    (chunk,) = cut_chunks([spoken], title="T", count=count)
    assert chunk.locator == {"time": "0:01:00"}
