"""What leaves the server, whatever the pieces a model writes in."""

import pytest

from corpus.taxonomy import Authority
from pipeline.outgoing import Mark, OutgoingText
from pipeline.plain_text import plain_text
from tests.pipeline.fakes import source_of

SOURCES = (
    source_of(1, "Failure is the best teacher a person can have. Insight and drive are all the skills you need."),
    source_of(2, "The bakery in Leeds doubled its sales within a year.", Authority.SUPPLEMENTARY),
    source_of(3, "Everything changes in the end."),
)
LINK = SOURCES[0].link


def sent(text: str, size: int = 1) -> tuple[str, list[int]]:
    """What goes out when the text comes in pieces of this size, and the sources marked."""
    outgoing = OutgoingText(SOURCES)
    pieces = [piece for start in range(0, len(text), size) for piece in outgoing.feed(text[start : start + size])]
    pieces += outgoing.close()
    words = "".join(piece for piece in pieces if isinstance(piece, str))
    assert words == outgoing.text
    return words, [piece.source for piece in pieces if isinstance(piece, Mark)]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("written", "expected", "marks"),
    [
        ("A [2]. B [3][1]. C [9]. Array x[0].", "A. B. C [9]. Array x[0].", [2, 3, 1]),
        (
            "Close to the word[1].[2] And a[1], f(x)[1], my_list[1].",
            "Close to the word. And a[1], f(x)[1], my_list[1].",
            [1, 2],
        ),
        ("Two at once [1, 2] and so on.", "Two at once and so on.", [1, 2]),
        ("Marked [1](https://evil.example).", "Marked.", [1]),
        ("Go to [this page](https://evil.example/a?b=c).", "Go to this page.", []),
        (f"Go to [the source]({LINK}).", f"Go to [the source]({LINK}).", []),
        ("![a tracker](https://evil.example/x.png) Hello", "a tracker Hello", []),
        ("See https://evil.example/x?y=1. Then go.", "See (link left out). Then go.", []),
        ("See www.evil.example now", "See (link left out) now", []),
        ('<img src="x" onerror="y"> a < b and <3 <b>bold</b>', "a < b and <3 bold", []),
        ("<https://evil.example> it is", "it is", []),
        ("Really! [not a source] yes!", "Really! [not a source] yes!", []),
        ("An open [bracket\nand a line", "An open [bracket\nand a line", []),
        ("Ends with [1", "Ends with [1", []),
        ("Ends on a http", "Ends on a http", []),
        ("  \n leading white space goes", "leading white space goes", []),
        ("a\n\n- b\n- c", "a\n\n- b\n- c", []),
    ],
)
def test_brackets_links_and_tags(written: str, expected: str, marks: list[int], size: int) -> None:
    assert sent(written, size) == (expected, marks)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("He says “failure is the best teacher a person can have.” So.", None),
        ('He says "Failure is the best  teacher a person can have". So.', None),
        ("He says “money is the only teacher you need.” So.", "He says money is the only teacher you need. So."),
        (
            "As Jay Samit says: “The bakery in Leeds doubled its sales.” So.",
            "As Jay Samit says: The bakery in Leeds doubled its sales. So.",
        ),
        (
            "“The bakery in Leeds doubled its sales,” says Jay Samit. So.",
            "The bakery in Leeds doubled its sales, says Jay Samit. So.",
        ),
        ("The report says: “The bakery in Leeds doubled its sales.” So.", None),
        ("The so-called “second act” begins.", None),
        ("An open “quotation that never closes", "An open quotation that never closes"),
        ("An open “quotation\n\nin another paragraph” ends", "An open quotation\n\nin another paragraph” ends"),
        ("„Insight and drive are all the skills you need“ is it.", None),
        ("She is 5' 7\" tall and it's fine.", None),
        ("“Failure is the best … a person can have” he said.", None),
    ],
)
def test_quotation_marks_stay_only_where_a_source_says_the_words(written: str, expected: str | None, size: int) -> None:
    assert sent(written, size)[0] == (written if expected is None else expected)


def test_a_quotation_over_the_limit_goes_out_without_its_mark() -> None:
    text = "“" + "word " * 100

    assert sent(text)[0] == text[1:].rstrip()


def test_plain_words_go_out_at_once() -> None:
    outgoing = OutgoingText(SOURCES)

    assert outgoing.feed("Hello") == ["Hello"]
    assert outgoing.feed(" world") == [" world"]


def test_a_mark_covers_the_sentence_before_it() -> None:
    outgoing = OutgoingText(SOURCES)
    pieces = outgoing.feed("First one. Second one [2]. Third.")

    mark = next(piece for piece in pieces if isinstance(piece, Mark))
    assert (mark.source, outgoing.text[mark.start : mark.end]) == (2, "Second one")


def test_places_of_the_models_text_are_found_in_what_was_sent() -> None:
    outgoing = OutgoingText(SOURCES)
    text = "See <b>this</b> [1] and that."
    outgoing.feed(text)

    place = outgoing.place(text.index("that"))

    assert outgoing.text[place:] == "that."


def test_what_cannot_be_stored_is_replaced() -> None:
    assert sent("a\x00b\ud800c")[0] == "a\ufffdb\ufffdc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  How do I\nbegin? ", "How do I begin?"),
        ("1. **What** is `grit`?", "What is grit?"),
        ("- [Click](https://evil.example) <b>here</b>", "Click here"),
        ('"Why not?"', "Why not?"),
        ("Who said “yes”", "Who said “yes”"),
        ("“Grit” or “luck”", "“Grit” or “luck”"),
        ("word " * 60, "word " * 26 + "word…"),
    ],
)
def test_short_texts_are_plain(text: str, expected: str) -> None:
    plain = plain_text(text)

    assert plain == expected
    assert len(plain) <= 140
